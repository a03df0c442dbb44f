import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { answer, failure } from "./answers.ts";
import { createScratch, type Scratch } from "./real-world.ts";

const licence = join(import.meta.dir, "../plugins/hello/LICENSE");

async function install(scratch: Scratch, source: string, exit = 0): Promise<void> {
  const { code, out, err } = await scratch.gum(["plugin", "install", source, "--yes"]);
  expect([code, out, err].join("\n")).toStartWith(`${exit}\n`);
}

const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const dataOf = ({ folder }: Scratch) => join(folder, ".local/share/gum/default");
const configOf = ({ folder }: Scratch) => join(folder, ".config/gum/default");

function rootOf(scratch: Scratch, id: string): string {
  const folder = join(dataOf(scratch), "plugins", id);
  const [name = ""] = readdirSync(folder).filter((entry) => !entry.includes("."));
  return join(folder, name);
}

describe("gum key", () => {
  test("T27 a key is made, trusted, revoked, and each change is written down", async () => {
    await using scratch = createScratch();
    const made = await answer(scratch, ["key", "generate", "ci"]);
    expect(made.private_file).toBe(join(configOf(scratch), "keys", `${made.id}.key`));
    const facts = { id: made.id, name: "ci", kind: "ed25519", own: true };
    expect(await answer(scratch, ["key", "list"])).toEqual([{ ...facts, state: "untrusted" }]);
    expect(await answer(scratch, ["key", "trust", made.public_file])).toEqual({
      ok: true,
      id: made.id,
      state: "trusted",
      changed: true,
    });
    expect((await scratch.gum(["key", "list"])).out).toBe(`${made.id}\ted25519\ttrusted\town\tci\n`);
    expect((await answer(scratch, ["key", "revoke", made.id])).state).toBe("revoked");
    expect(await answer(scratch, ["key", "list"])).toEqual([{ ...facts, state: "revoked" }]);
    expect((await failure(scratch, ["key", "trust", "ci"])).slice(0, 2)).toEqual([4, "POLICY_DENIED"]);
    const rows = await answer(scratch, ["audit", "tail"]);
    expect(rows.map((row: { event: string; details: unknown }) => [row.event, row.details])).toEqual(
      ["key.generate", "key.trust", "key.revoke"].map((event) => [event, { key_id: made.id }]),
    );
    expect(readFileSync(join(dataOf(scratch), "audit.jsonl"), "utf8")).not.toContain("PRIVATE");
  });
});

describe("gum plugin pack", () => {
  test("the same folder gives the same bytes, whatever its times and modes, and the digest is true", async () => {
    await using scratch = createScratch();
    const source = scratch.plugin("hello");
    const first = await answer(scratch, ["plugin", "pack", source]);
    expect(first.file).toBe(join(scratch.folder, "hello-0.1.0.tgz"));
    expect([first.sha256, first.size]).toEqual([sha256(first.file), readFileSync(first.file).length]);
    const copy = join(scratch.folder, "copy");
    cpSync(source, copy, { recursive: true });
    chmodSync(join(copy, "manifest.json"), 0o600);
    chmodSync(join(copy, "bin/hello-mcp"), 0o777);
    mkdirSync(join(copy, ".git"));
    writeFileSync(join(copy, ".git/HEAD"), "x");
    writeFileSync(join(copy, ".gumignore"), "*.log\n");
    writeFileSync(join(copy, "bin/a.log"), "x");
    for (const name of ["one.tgz", "two.tgz"]) {
      const again = await answer(scratch, ["plugin", "pack", copy, "--out", name]);
      expect(again.sha256).toBe(first.sha256);
    }
    const zip = await answer(scratch, ["plugin", "pack", source, "--out", "a.zip"]);
    const same = await answer(scratch, ["plugin", "pack", copy, "--out", "b.zip"]);
    expect(zip.sha256).toBe(same.sha256);
  });

  test("an archive in the folder itself is not part of the next one", async () => {
    await using scratch = createScratch();
    const source = scratch.plugin("hello");
    const out = join(source, "hello.tgz");
    const first = await answer(scratch, ["plugin", "pack", source, "--out", out]);
    expect((await answer(scratch, ["plugin", "pack", source, "--out", out])).sha256).toBe(first.sha256);
  });

  test("M37 T5 what install would refuse is not packed, and nothing is left", async () => {
    await using scratch = createScratch();
    const cases: Record<string, readonly [(folder: string) => void, string]> = {
      "no licence": [(folder) => rmSync(join(folder, "LICENSE")), "3 PLUGIN_MANIFEST_INVALID"],
      "no manifest": [(folder) => rmSync(join(folder, "manifest.json")), "3 PLUGIN_MANIFEST_NOT_FOUND"],
      "link out": [(folder) => symlinkSync("/etc/hosts", join(folder, "hosts")), "4 PLUGIN_ARCHIVE_UNSAFE"],
      "like names": [(folder) => writeFileSync(join(folder, "license"), ""), "4 PLUGIN_ARCHIVE_UNSAFE"],
      "needed file left out": [(folder) => writeFileSync(join(folder, ".gumignore"), "bin\n"), "2 USAGE"],
      "ignore rule not understood": [
        (folder) => writeFileSync(join(folder, ".gumignore"), "!a\n"),
        "2 USAGE",
      ],
    };
    for (const [name, [spoil, expected]] of Object.entries(cases)) {
      const source = scratch.plugin("hello", name.replaceAll(" ", "-"));
      spoil(source);
      const [code, error] = await failure(scratch, ["plugin", "pack", source, "--out", "x.tgz"]);
      expect([name, `${code} ${error}`]).toEqual([name, expected]);
    }
    expect(readdirSync(scratch.folder).filter((name) => name.includes("x.tgz"))).toEqual([]);
    const source = scratch.plugin("hello");
    expect((await failure(scratch, ["plugin", "pack", source, "--out", "x.tar"]))[2]).toBe(
      'The archive "x.tar" must end in .tgz, .tar.gz or .zip.',
    );
  });

  test("T27 a signed archive is verified by those who trust the key, and by nobody else", async () => {
    await using scratch = createScratch();
    const { id, public_file } = await answer(scratch, ["key", "generate"]);
    const packed = await answer(scratch, ["plugin", "pack", scratch.plugin("hello"), "--sign", id]);
    expect(packed.signature).toEqual({ file: `${packed.file}.sig`, key_id: id });
    const about = { file: packed.file, sha256: packed.sha256, size: packed.size };
    const unknown = await answer(scratch, ["plugin", "verify", packed.file]);
    expect(unknown).toEqual({
      ok: true,
      ...about,
      signature: { state: "untrusted", key_id: id, reason: `is by the key ${id}, unknown here` },
    });
    await answer(scratch, ["config", "set", "plugins.require_signatures", "true"]);
    expect((await answer(scratch, ["plugin", "verify", packed.file], 4)).ok).toBe(false);
    await answer(scratch, ["key", "trust", public_file]);
    expect((await answer(scratch, ["plugin", "verify", packed.file])).signature).toEqual({
      state: "verified",
      key_id: id,
      reason: null,
    });
    // A profile that requires signatures still lets its own user pack and sign.
    await answer(scratch, [
      "plugin",
      "pack",
      scratch.plugin("hello", "again"),
      "--out",
      "b.tgz",
      "--sign",
      id,
    ]);
    appendFileSync(packed.file, "x");
    const { code, out } = await scratch.gum(["plugin", "verify", packed.file]);
    expect([code, out.split("\n")[3]]).toEqual([
      4,
      "signature  invalid: the signature is for another file: its digest differs",
    ]);
  });

  test("an old signature beside a new archive is told", async () => {
    await using scratch = createScratch();
    const { id } = await answer(scratch, ["key", "generate"]);
    const source = scratch.plugin("hello");
    await answer(scratch, ["plugin", "pack", source, "--sign", id]);
    expect((await answer(scratch, ["plugin", "pack", source])).warnings).toEqual([]);
    writeFileSync(join(source, "NEW"), "");
    expect((await answer(scratch, ["plugin", "pack", source])).warnings).toEqual([
      {
        message: "The file hello-0.1.0.tgz.sig is no signature of this archive.",
        hint: "sign again, or remove it",
      },
    ]);
  });
});

describe("installing what was packed", () => {
  test("T26 T27 a packed and signed plugin installs, and the lock says who vouched for it", async () => {
    await using scratch = createScratch();
    const { id } = await answer(scratch, ["key", "generate"]);
    await answer(scratch, ["key", "trust", id]);
    await answer(scratch, ["config", "set", "plugins.require_signatures", "true"]);
    for (const name of ["a.tgz", "b.zip"]) {
      const packed = await answer(scratch, [
        ...["plugin", "pack", scratch.plugin("hello", `hello-${name}`)],
        ...["--out", name, "--sign", id],
      ]);
      await install(scratch, packed.file);
      const info = JSON.parse((await scratch.gum(["plugin", "info", "hello", "--json"])).out);
      expect(info.signature).toEqual({ verified: true, key_id: id });
    }
    const unsigned = await failure(scratch, ["plugin", "install", scratch.plugin("hello"), "--yes"]);
    expect(unsigned.slice(0, 2)).toEqual([4, "PLUGIN_SIGNATURE_REQUIRED"]);
    const copy = join(scratch.folder, "changed.tgz");
    cpSync(join(scratch.folder, "a.tgz"), copy);
    cpSync(join(scratch.folder, "b.zip.sig"), `${copy}.sig`);
    await answer(scratch, ["config", "unset", "plugins.require_signatures"]);
    const forged = await failure(scratch, ["plugin", "install", copy, "--yes"]);
    expect(forged.slice(0, 2)).toEqual([4, "PLUGIN_SIGNATURE_INVALID"]);
  });

  test("R13 a plugin whose key was revoked is refused at the next call and by verify", async () => {
    await using scratch = createScratch();
    const { id } = await answer(scratch, ["key", "generate"]);
    await answer(scratch, ["key", "trust", id]);
    const { file } = await answer(scratch, ["plugin", "pack", scratch.plugin("hello"), "--sign", id]);
    await install(scratch, file);
    const call = ["plugin", "run", "hello", "hello", "name=Ada"];
    expect((await scratch.gum(call)).code).toBe(0);
    expect((await answer(scratch, ["plugin", "verify", "hello"])).ok).toBe(true);
    expect((await answer(scratch, ["plugin", "list"]))[0].status).toBe("active");
    await answer(scratch, ["key", "revoke", id]);
    expect(await failure(scratch, call)).toEqual([
      4,
      "PLUGIN_SIGNATURE_INVALID",
      `The plugin "hello" was signed by the key ${id}, which was revoked.`,
    ]);
    const [listed] = await answer(scratch, ["plugin", "list"]);
    const info = await answer(scratch, ["plugin", "info", "hello"]);
    expect([listed.status, info.status, info.key_revoked]).toEqual(["quarantined", "quarantined", true]);
    const [row] = (await answer(scratch, ["plugin", "verify"], 4)).plugins;
    expect([row.ok, row.code]).toEqual([false, "PLUGIN_SIGNATURE_INVALID"]);
  });
});

describe("gum plugin verify", () => {
  test("T7 T8 any single change to an installed plugin is found out, and nothing else is", async () => {
    const changes: Record<string, (root: string) => void> = {
      executable: (root) => {
        chmodSync(join(root, "bin/hello-mcp"), 0o755);
        appendFileSync(join(root, "bin/hello-mcp"), "#\n");
        chmodSync(join(root, "bin/hello-mcp"), 0o555);
      },
      changed: (root) => {
        chmodSync(join(root, "LICENSE"), 0o644);
        appendFileSync(join(root, "LICENSE"), "x");
        chmodSync(join(root, "LICENSE"), 0o444);
      },
      added: (root) => writeFileSync(join(root, "extra"), ""),
      removed: (root) => rmSync(join(root, "LICENSE")),
      remoded: (root) => chmodSync(join(root, "LICENSE"), 0o555),
      linked: (root) => {
        rmSync(join(root, "LICENSE"));
        symlinkSync(licence, join(root, "LICENSE"));
      },
    };
    const found: Record<string, readonly string[]> = {};
    for (const [name, change] of Object.entries(changes)) {
      await using scratch = createScratch();
      await install(scratch, scratch.plugin("hello"));
      expect((await answer(scratch, ["plugin", "verify"])).plugins[0].code).toBe(null);
      const root = rootOf(scratch, "hello");
      chmodSync(root, 0o755);
      chmodSync(join(root, "bin"), 0o755);
      change(root);
      chmodSync(join(root, "bin"), 0o555);
      chmodSync(root, 0o555);
      const codes = [];
      for (const deep of [[], ["--deep"]]) {
        const told = await answer(scratch, ["plugin", "verify", "hello", ...deep], 4);
        codes.push(told.plugins[0].code);
      }
      found[name] = codes;
    }
    const tree = ["PLUGIN_TREE_MODIFIED", "PLUGIN_TREE_MODIFIED"];
    expect(found).toEqual({
      executable: ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_EXECUTABLE_UNTRUSTED"],
      changed: tree,
      added: tree,
      removed: tree,
      remoded: tree,
      linked: tree,
    });
  });

  test("T8 --deep reads everything, and the table tells every plugin", async () => {
    await using scratch = createScratch();
    await install(scratch, scratch.plugin("hello"));
    const deep = await answer(scratch, ["plugin", "verify", "hello", "--deep"]);
    expect([deep.ok, deep.deep, deep.plugins[0].hashed]).toEqual([true, true, deep.plugins[0].entries]);
    const root = rootOf(scratch, "hello");
    chmodSync(root, 0o755);
    writeFileSync(join(root, "extra"), "");
    chmodSync(root, 0o555);
    const { code, out } = await scratch.gum(["plugin", "verify"]);
    expect([code, out]).toEqual([
      4,
      'hello\t0.1.0\tPLUGIN_TREE_MODIFIED\tThe install root of plugin "hello" has the added file "extra".\n',
    ]);
    const rows = await answer(scratch, ["audit", "tail", "--lines", "1", "--plugin", "hello"]);
    expect([rows[0].event, rows[0].outcome, rows[0].code]).toEqual([
      "pipeline.verify",
      "failed",
      "PLUGIN_TREE_MODIFIED",
    ]);
  });

  test("an unknown plugin and an absent file are refused by name", async () => {
    await using scratch = createScratch();
    expect((await failure(scratch, ["plugin", "verify", "hello"])).slice(0, 2)).toEqual([
      10,
      "PLUGIN_NOT_FOUND",
    ]);
    expect(await failure(scratch, ["plugin", "verify", "./hello.tgz"])).toEqual([
      3,
      "PLUGIN_FETCH_FAILED",
      "The file hello.tgz is not there or cannot be read.",
    ]);
    expect((await failure(scratch, ["plugin", "verify", "./x.tgz", "--deep"]))[1]).toBe("USAGE");
    expect(await answer(scratch, ["plugin", "verify"])).toEqual({
      ok: true,
      deep: false,
      registry: { generation: 0, altered: [] },
      plugins: [],
      warnings: [],
    });
    expect(existsSync(dataOf(scratch))).toBe(false);
  });
});
