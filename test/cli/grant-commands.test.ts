import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { answer, failure } from "./answers.ts";
import { createScratch, type Scratch } from "./real-world.ts";

const nothing = { read: [], write: [], shm: false, capabilities: [] };

async function installed(scratch: Scratch): Promise<void> {
  await answer(scratch, ["plugin", "install", scratch.plugin("hello"), "--yes"]);
}

/** The newest rows of the audit log about grants. */
async function audited(scratch: Scratch): Promise<unknown[]> {
  const rows: { event: string; outcome: string; code?: string; details?: object }[] = await answer(scratch, [
    "audit",
    "tail",
  ]);
  return rows
    .filter(({ event }) => /^plugin\.(grant|revoke)$/.test(event))
    .map(({ event, outcome, code, details }) => [event, outcome, code, details]);
}

describe("gum plugin grant and revoke", () => {
  test("T35 a path is granted, shown, written down and taken back", async () => {
    await using scratch = createScratch();
    await installed(scratch);
    const folder = join(scratch.folder, "maps");
    mkdirSync(folder);
    const given = await answer(scratch, ["plugin", "grant", "hello", "--allow-read", "maps", "--allow-shm"]);
    expect([given.changed, given.granted]).toEqual([true, { ...nothing, read: [folder], shm: true }]);
    const { granted_capabilities } = await answer(scratch, ["plugin", "info", "hello"]);
    expect(granted_capabilities).toEqual({ ...nothing, read: [folder], shm: true });
    const again = await answer(scratch, ["plugin", "grant", "hello", "--allow-shm"]);
    expect([again.changed, again.granted]).toEqual([false, given.granted]);
    expect((await scratch.gum(["plugin", "run", "hello", "hello", "name=Ada"])).code).toBe(0);
    rmSync(folder, { recursive: true });
    const taken = await answer(scratch, ["plugin", "revoke", "hello", "--allow-read", folder, "--allow-shm"]);
    expect(taken.granted).toEqual(nothing);
    expect(await audited(scratch)).toEqual([
      ["plugin.grant", "ok", undefined, { ...nothing, read: [folder], shm: true }],
      ["plugin.revoke", "ok", undefined, { ...nothing, read: [folder], shm: true }],
    ]);
  });

  test("T35 what is sensitive, or leads there, is POLICY_DENIED and changes nothing", async () => {
    await using scratch = createScratch();
    await installed(scratch);
    mkdirSync(join(scratch.folder, ".aws"));
    symlinkSync(join(scratch.folder, ".aws"), join(scratch.folder, "innocent"));
    const before = await answer(scratch, ["plugin", "info", "hello"]);
    for (const path of [".aws", ".ssh", ".", "/", "innocent", ".local/share/gum"]) {
      const [code, name] = await failure(scratch, ["plugin", "grant", "hello", "--allow-read", path]);
      expect([path, code, name]).toEqual([path, 4, "POLICY_DENIED"]);
    }
    const [code, name] = await failure(scratch, ["plugin", "grant", "hello", "--allow-write", "/usr/lib"]);
    expect([code, name]).toEqual([4, "POLICY_DENIED"]);
    const after = await answer(scratch, ["plugin", "info", "hello"]);
    expect(after.granted_capabilities).toEqual(before.granted_capabilities);
    const rows = await audited(scratch);
    expect(rows.length).toBe(7);
    expect(rows[0]).toEqual(["plugin.grant", "refused", "POLICY_DENIED", { ...nothing, read: [".aws"] }]);
  });

  test("T35 an install with such a path is refused before anything is written", async () => {
    await using scratch = createScratch();
    const plugin = scratch.plugin("hello");
    const words = ["plugin", "install", plugin, "--yes", "--allow-read", ".ssh"];
    expect((await failure(scratch, words)).slice(0, 2)).toEqual([4, "POLICY_DENIED"]);
    expect(await answer(scratch, ["plugin", "list"])).toEqual([]);
  });

  test("T35 what was granted stays granted when the same owner's plugin is installed again", async () => {
    await using scratch = createScratch();
    const plugin = scratch.plugin("hello");
    await answer(scratch, ["plugin", "install", plugin, "--yes"]);
    mkdirSync(join(scratch.folder, "maps"));
    await answer(scratch, ["plugin", "grant", "hello", "--allow-write", "maps"]);
    const again = await scratch.gum(["plugin", "install", plugin]);
    expect([again.code, again.questions]).toEqual([0, []]);
    const { granted_capabilities } = await answer(scratch, ["plugin", "info", "hello"]);
    expect(granted_capabilities).toEqual({ ...nothing, write: [join(scratch.folder, "maps")] });
    await answer(scratch, ["plugin", "remove", "hello", "--yes"]);
    await answer(scratch, ["plugin", "install", plugin, "--yes"]);
    const fresh = await answer(scratch, ["plugin", "info", "hello"]);
    expect(fresh.granted_capabilities).toEqual(nothing);
  });

  test("T35 what was taken back is asked for again by the next install that wants it", async () => {
    await using scratch = createScratch();
    const plugin = scratch.plugin("hello");
    mkdirSync(join(scratch.folder, "maps"));
    const wanting = ["plugin", "install", plugin, "--allow-read", "maps"];
    await answer(scratch, [...wanting, "--yes"]);
    expect((await scratch.gum(wanting)).code).toBe(0);
    await answer(scratch, ["plugin", "revoke", "hello", "--allow-read", "maps"]);
    expect((await failure(scratch, wanting)).slice(0, 2)).toEqual([4, "TRUST_NOT_CONFIRMED"]);
  });

  const mistakes: readonly (readonly [words: string[], code: number, name: string, sentence: string])[] = [
    [["grant", "hello"], 2, "USAGE", "Say what to grant: a capability, a path or --allow-shm."],
    [["revoke", "hello"], 2, "USAGE", "Say what to take back: a capability, a path or --allow-shm."],
    [["grant", "hallo", "--allow-shm"], 10, "PLUGIN_NOT_FOUND", ""],
    [
      ["grant", "hello", "--allow-read", "nowhere"],
      2,
      "USAGE",
      "The path nowhere cannot be granted: it is not there.",
    ],
    [
      ["grant", "hello", "fs.read"],
      2,
      "USAGE",
      'The plugin "hello" is no handshake-plugin and has no capabilities.',
    ],
    [["revoke", "hello", "--allow-shm"], 2, "USAGE", 'The plugin "hello" has no grant to use shared memory.'],
    [["revoke", "hello", "fs.read"], 2, "USAGE", 'The plugin "hello" has no grant of "fs.read".'],
    [
      ["revoke", "hello", "--allow-write", "/srv"],
      2,
      "USAGE",
      'The plugin "hello" has no grant to write /srv.',
    ],
  ];
  test("T35 mistakes are named", async () => {
    await using scratch = createScratch();
    await installed(scratch);
    for (const [words, code, name, sentence] of mistakes) {
      const told = await failure(scratch, ["plugin", ...words]);
      expect([words, told[0], told[1]]).toEqual([words, code, name]);
      if (sentence !== "") expect(told[2]).toBe(sentence);
    }
  });

  test("W18 capabilities are granted by name, once each, and the prompt asks for them by themselves", async () => {
    await using scratch = createScratch();
    const source = join(import.meta.dir, "../../examples/echo-handshake");
    const person = { interactive: true, answers: ["yes", "no"] };
    const declined = await scratch.gum(["plugin", "install", source], person);
    expect([declined.code, declined.questions]).toEqual([
      4,
      ["Install echo-handshake 0.1.0? [y/N] ", "Grant echo-handshake text.echo, too? [y/N] "],
    ]);
    expect(declined.err).toContain("It also asks        capability text.echo\n");
    const agreed = await scratch.gum(["plugin", "install", source], {
      interactive: true,
      answers: ["y", "y"],
    });
    expect(agreed.code).toBe(0);
    const more = await answer(scratch, ["plugin", "grant", "echo-handshake", "b,a", "a", " b "]);
    expect(more.granted.capabilities).toEqual(["a", "b", "text.echo"]);
    const less = await answer(scratch, ["plugin", "revoke", "echo-handshake", "a", "text.echo"]);
    expect(less.granted.capabilities).toEqual(["b"]);
    const text = await scratch.gum(["plugin", "grant", "echo-handshake", "text.echo"]);
    expect(text.out).toStartWith(
      "Granted to echo-handshake beyond its manifest: capability b, capability text.echo. Generation ",
    );
  });

  test("W18 --grant for a plugin of another shape is a warning", async () => {
    await using scratch = createScratch();
    const plugin = scratch.plugin("hello");
    const { warnings } = await answer(scratch, ["plugin", "install", plugin, "--yes", "--grant", "fs.read"]);
    expect(warnings).toEqual([
      { message: '--grant changes nothing: "hello" is no handshake-plugin and has no capabilities' },
    ]);
  });
});

describe("gum plugin rollback and what was taken back since", () => {
  test("T35 a rollback does not bring back a revoked grant, and says so", async () => {
    await using scratch = createScratch();
    await installed(scratch);
    const folder = join(scratch.folder, "maps");
    mkdirSync(folder);
    await answer(scratch, ["plugin", "grant", "hello", "--allow-read", "maps", "--allow-shm"]);
    await answer(scratch, ["plugin", "revoke", "hello", "--allow-read", "maps"]);
    const back = await answer(scratch, ["plugin", "rollback"]);
    expect(back.warnings.map(({ message }: { message: string }) => message)).toEqual([
      `"hello" does not get back what you have taken from it since: read ${folder}`,
    ]);
    const info = await answer(scratch, ["plugin", "info", "hello"]);
    expect(info.granted_capabilities).toEqual({ ...nothing, shm: true });
  });

  test("T35 a plugin that was removed comes back with what was still granted to it, and no more", async () => {
    await using scratch = createScratch();
    await installed(scratch);
    mkdirSync(join(scratch.folder, "maps"));
    const { generation } = await answer(scratch, [
      "plugin",
      "grant",
      "hello",
      "--allow-read",
      "maps",
      "--allow-shm",
    ]);
    await answer(scratch, ["plugin", "revoke", "hello", "--allow-read", "maps"]);
    await answer(scratch, ["plugin", "remove", "hello", "--yes"]);
    await answer(scratch, ["plugin", "rollback", "--to", String(generation)]);
    const info = await answer(scratch, ["plugin", "info", "hello"]);
    expect(info.granted_capabilities).toEqual({ ...nothing, shm: true });
  });

  test("R10 going back to a plugin whose key was revoked is refused, and nothing changes", async () => {
    await using scratch = createScratch();
    const { id } = await answer(scratch, ["key", "generate"]);
    await answer(scratch, ["key", "trust", id]);
    const { file } = await answer(scratch, ["plugin", "pack", scratch.plugin("hello"), "--sign", id]);
    await answer(scratch, ["plugin", "install", file, "--yes"]);
    await answer(scratch, ["plugin", "remove", "hello", "--yes"]);
    await answer(scratch, ["plugin", "rollback"]);
    await answer(scratch, ["plugin", "remove", "hello", "--yes"]);
    await answer(scratch, ["key", "revoke", id]);
    expect((await failure(scratch, ["plugin", "rollback"])).slice(0, 2)).toEqual([
      4,
      "PLUGIN_SIGNATURE_INVALID",
    ]);
    expect(await answer(scratch, ["plugin", "list"])).toEqual([]);
  });
});
