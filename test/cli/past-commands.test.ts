import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { answer, failure } from "./answers.ts";
import { createScratch, type Scratch } from "./real-world.ts";
import { gum } from "./world.ts";

async function install(scratch: Scratch, version: string): Promise<void> {
  const source = scratch.plugin("hello", `hello-${version}`, [['"0.1.0"', `"${version}"`]]);
  const { code, err } = await scratch.gum(["plugin", "install", source, "--yes"]);
  expect([code, err]).toEqual([0, ""]);
}

const dataOf = ({ folder }: Scratch) => join(folder, ".local/share/gum/default");
const versionOf = async (scratch: Scratch) => (await scratch.gum(["plugin", "list"])).out.split("\t")[1];

describe("gum plugin history, rollback and gc", () => {
  test("R10 history tells what changed, and a rollback publishes the earlier plugins anew", async () => {
    await using scratch = createScratch();
    await install(scratch, "1.0.0");
    await install(scratch, "1.1.0");
    const lines = await answer(scratch, ["plugin", "history"]);
    expect(lines.map((line: { command: string; current: boolean }) => [line.command, line.current])).toEqual([
      ["plugin install hello", true],
      ["plugin install hello", false],
    ]);
    const shown = (await scratch.gum(["plugin", "history"])).out
      .split("\n")
      .map((line) => line.split("\t")[3]);
    expect(shown).toEqual([
      "hello 1.0.0 → 1.1.0",
      "added hello 1.0.0, hello claimed by io.example.hello",
      undefined,
    ]);
    expect(await versionOf(scratch)).toBe("1.1.0");
    const back = await answer(scratch, ["plugin", "rollback"]);
    expect([back.to, back.plugins]).toEqual([lines[1].generation, [{ id: "hello", version: "1.0.0" }]]);
    expect(back.generation).toBeGreaterThan(lines[0].generation);
    expect(await versionOf(scratch)).toBe("1.0.0");
    expect((await scratch.gum(["plugin", "run", "hello", "hello", "name=Ada"])).code).toBe(0);
    await answer(scratch, ["plugin", "rollback", "--to", String(lines[0].generation)]);
    expect(await versionOf(scratch)).toBe("1.1.0");
    const rows = await answer(scratch, ["audit", "tail"]);
    const events = rows.map((row: { event: string }) => row.event);
    expect(events.filter((event: string) => event === "pipeline.rollback").length).toBe(2);
  });

  test("R10 a generation that is not there, or whose files are gone, is refused and nothing changes", async () => {
    await using scratch = createScratch();
    expect((await failure(scratch, ["plugin", "rollback"]))[1]).toBe("USAGE");
    await install(scratch, "1.0.0");
    await install(scratch, "1.1.0");
    const [now, before] = await answer(scratch, ["plugin", "history"]);
    expect(await failure(scratch, ["plugin", "rollback", "--to", "99"])).toEqual([
      2,
      "USAGE",
      'The profile "default" has no complete generation 99.',
    ]);
    expect((await failure(scratch, ["plugin", "rollback", "--to", "zero"]))[2]).toBe(
      'The flag --to is a whole number from 1 on, not "zero".',
    );
    const row = JSON.parse(
      readFileSync(
        join(
          dataOf(scratch),
          "generations",
          `${String(before.generation).padStart(8, "0")}-${before.txid}`,
          "plugins.lock",
        ),
        "utf8",
      ),
    ).plugins[0];
    chmodSync(row.install_root, 0o755);
    rmSync(join(row.install_root, "LICENSE"));
    const [code, error] = await failure(scratch, ["plugin", "rollback"]);
    expect([code, error, await versionOf(scratch)]).toEqual([4, "PLUGIN_TREE_MODIFIED", "1.1.0"]);
    expect((await answer(scratch, ["plugin", "history"]))[0].generation).toBe(now.generation);
  });

  test("R10 gc removes what nothing names, and keeps what a rollback needs", async () => {
    await using scratch = createScratch();
    expect(await answer(scratch, ["plugin", "gc"])).toEqual({ ok: true, roots: 0, schemas: 0, in_use: 0 });
    expect(existsSync(dataOf(scratch))).toBe(false);
    await install(scratch, "1.0.0");
    await install(scratch, "1.1.0");
    const folder = join(dataOf(scratch), "plugins/hello");
    const roots = () => readdirSync(folder).filter((name) => !name.endsWith(".seal")).length;
    expect([(await answer(scratch, ["plugin", "gc"])).roots, roots()]).toEqual([0, 2]);
    rmSync(join(dataOf(scratch), "generations", readdirSync(join(dataOf(scratch), "generations"))[0] ?? ""), {
      recursive: true,
    });
    expect([(await answer(scratch, ["plugin", "gc"])).roots, roots()]).toEqual([1, 1]);
    const [row] = await answer(scratch, ["audit", "tail", "--lines", "1"]);
    expect([row.event, row.details.roots]).toEqual(["registry.gc", 1]);
  });
});

describe("gum plugin transfer-namespace", () => {
  test("T4 a claim outlives its plugin, changes hands, is freed, and keeps its history", async () => {
    await using scratch = createScratch();
    await install(scratch, "1.0.0");
    const release = ["plugin", "transfer-namespace", "hello", "--release"];
    expect((await failure(scratch, [...release, "--yes"])).slice(0, 2)).toEqual([4, "POLICY_DENIED"]);
    expect((await scratch.gum(["plugin", "remove", "hello", "--yes"])).code).toBe(0);
    const stranger = scratch.plugin("hello", "stranger", [["io.example.hello", "io.example.stranger"]]);
    const attempt = ["plugin", "install", stranger, "--yes"];
    expect((await failure(scratch, attempt)).slice(0, 2)).toEqual([4, "PLUGIN_NAMESPACE_CONFLICT"]);
    const moved = await answer(scratch, [...release.slice(0, 3), "--new-owner", "io.example.new"]);
    expect([moved.from, moved.to]).toEqual(["io.example.hello", "io.example.new"]);
    expect((await failure(scratch, release)).slice(0, 2)).toEqual([9, "REQUIRES_CONFIRMATION"]);
    const freed = await answer(scratch, [...release, "--yes"]);
    expect([freed.from, freed.to]).toEqual(["io.example.new", null]);
    expect((await scratch.gum(attempt)).code).toBe(0);
    const lock = JSON.parse(readFileSync(join(dataOf(scratch), "plugins.lock"), "utf8"));
    const [row] = lock.namespaces;
    expect(
      row.transfer_history.map(({ from, to }: { from: string; to: string | null }) => [from, to]),
    ).toEqual([
      ["io.example.hello", "io.example.new"],
      ["io.example.new", null],
    ]);
    const rows = await answer(scratch, ["audit", "tail"]);
    const told = rows
      .filter((one: { event: string }) => one.event.startsWith("namespace."))
      .map((one: { event: string; outcome: string }) => `${one.event} ${one.outcome}`);
    expect(told).toEqual(["namespace.release refused", "namespace.transfer ok", "namespace.release ok"]);
  });

  test("it says who, or that it is freed, and nothing else is understood", async () => {
    await using scratch = createScratch();
    const words = ["plugin", "transfer-namespace", "hello"];
    expect((await failure(scratch, words))[1]).toBe("USAGE");
    expect((await failure(scratch, [...words, "--release", "--new-owner", "io.example"]))[1]).toBe("USAGE");
    expect((await failure(scratch, [...words, "--new-owner", "io.example"]))[1]).toBe("PLUGIN_NOT_FOUND");
    const terminal = { interactive: true, answers: ["n"] };
    const asked = await scratch.gum([...words, "--release"], terminal);
    expect([asked.code, asked.questions]).toEqual([9, ["Free the namespace hello for anybody? [y/N] "]]);
  });
});

describe("gum audit", () => {
  test("R15 a whole chain is told, and the first changed row is found", async () => {
    await using scratch = createScratch();
    expect((await answer(scratch, ["audit", "verify"])).rows).toBe(0);
    for (const name of ["a", "b", "c"]) await answer(scratch, ["key", "generate", name]);
    const whole = await answer(scratch, ["audit", "verify"]);
    expect([whole.rows, whole.head.seq, whole.torn]).toEqual([3, 3, false]);
    const row = await answer(scratch, ["audit", "show", "2"]);
    expect([row.seq, row.event]).toEqual([2, "key.generate"]);
    expect((await failure(scratch, ["audit", "show", "4"])).slice(0, 2)).toEqual([2, "USAGE"]);
    const file = join(dataOf(scratch), "audit.jsonl");
    const text = readFileSync(file, "utf8");
    appendFileSync(file, '{"seq":4,"torn');
    expect((await answer(scratch, ["audit", "verify"])).torn).toBe(true);
    writeFileSync(file, text.replace('"seq":2,', '"seq":2, '));
    const [code, error, message] = await failure(scratch, ["audit", "verify"]);
    expect([code, error]).toEqual([11, "REGISTRY_IO"]);
    expect(message).toStartWith("The audit log is broken at row 3 (audit.jsonl:3)");
    expect((await failure(scratch, ["audit", "tail", "--lines", "0"]))[1]).toBe("USAGE");
  });
});

describe("gum config", () => {
  test("W26 values come from default, file and environment, and list --origin says from which", async () => {
    await using scratch = createScratch();
    const key = "plugins.require_signatures";
    expect((await scratch.gum(["config", "get", key])).out).toBe("false\n");
    const set = await answer(scratch, ["config", "set", key, "true"]);
    expect(set).toEqual({ ok: true, key, value: true, origin: "file", changed: true, warnings: [] });
    expect((await answer(scratch, ["config", "set", key, "true"])).changed).toBe(false);
    const got = await answer(scratch, ["config", "get", key]);
    expect([got.value, got.origin]).toEqual([true, "file"]);
    const lines = (await scratch.gum(["config", "list", "--origin"])).out
      .split("\n")
      .map((line) => line.split("\t"));
    expect(lines.find(([name]) => name === key)?.slice(0, 3)).toEqual([key, "true", "file"]);
    expect(lines.find(([name]) => name === "generations.keep")?.slice(0, 3)).toEqual([
      "generations.keep",
      "20",
      "default",
    ]);
    const unset = await answer(scratch, ["config", "unset", key]);
    expect([unset.value, unset.origin, unset.changed]).toEqual([false, "default", true]);
    expect((await answer(scratch, ["config", "list"])).length).toBeGreaterThan(20);
  });

  test("unknown keys, wrong values and secrets are refused, and the file stays as it was", async () => {
    await using scratch = createScratch();
    const config = join(scratch.folder, ".config/gum/default/config.toml");
    await answer(scratch, ["config", "set", "generations.keep", "5"]);
    const text = readFileSync(config, "utf8");
    const cases: readonly (readonly [readonly string[], string])[] = [
      [
        ["set", "plugins.require_signature", "true"],
        'There is no configuration key "plugins.require_signature": did you mean "plugins.require_signatures"?',
      ],
      [
        ["set", "generations.keep", "0"],
        'The value of "generations.keep" must be a whole number from 1 to 10000.',
      ],
      [
        ["set", "marketplace.token", "x"],
        'The key "marketplace.token" holds a secret, which no file may hold.',
      ],
    ];
    for (const [words, message] of cases) {
      const [code, , said] = await failure(scratch, ["config", ...words]);
      expect([words, code, said, readFileSync(config, "utf8")]).toEqual([words, 2, message, text]);
    }
    expect((await failure(scratch, ["config", "get", "generation.keep"]))[1]).toBe("UNKNOWN_CONFIG_KEY");
  });

  test("W26 the environment may only tighten what is required", async () => {
    const key = "plugins.require_signatures";
    const file = (value: boolean) => ({
      "/home/user/.config/gum/default/config.toml": `[plugins]\nrequire_signatures = ${value}\n`,
    });
    const cases = [
      [false, undefined, false, "file"],
      [false, "true", true, "env"],
      [true, "false", true, "file"],
      [false, "false", false, "file"],
    ] as const;
    for (const [written, said, value, origin] of cases) {
      const env = { HOME: "/home/user", REQUIRE_SIGNATURES: said };
      const { out } = await gum(["config", "get", key, "--origin"], { env, files: file(written) });
      expect([written, said, out]).toEqual([written, said, `${value}\t${origin}\n`]);
    }
    const env = { HOME: "/home/user", REQUIRE_SIGNATURES: "true" };
    const { out } = await gum(["config", "set", key, "false", "--json"], { env });
    expect(JSON.parse(out)).toMatchObject({ value: true, origin: "env", changed: true });
    expect(JSON.parse(out).warnings[0].message).toBe(
      `The environment variable REQUIRE_SIGNATURES is set, and it has the last word on "${key}" here.`,
    );
  });

  test("W26 a secret is never shown, only that it is there", async () => {
    const env = { HOME: "/home/user", MARKETPLACE_TOKEN: "s3cret" };
    for (const words of [["list"], ["list", "--origin"], ["get", "marketplace.token"]]) {
      for (const json of [[], ["--json"]]) {
        const { out, err, code } = await gum(["config", ...words, ...json], { env });
        expect([code, err, out.includes("s3cret")]).toEqual([0, "", false]);
      }
    }
    expect((await gum(["config", "get", "marketplace.token", "--origin"], { env })).out).toBe("***\tenv\n");
  });
});
