import { expect, test } from "bun:test";
import { appendFileSync, chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { cliSchemas } from "../../src/cli/schemas.ts";
import { answer, failure } from "./answers.ts";
import { createScratch, type Scratch } from "./real-world.ts";

/** Runs `gum canary` with --json and checks its answer against the published model. */
async function canary(scratch: Scratch, words: readonly string[], exit = 0) {
  const { code, out } = await scratch.gum(["canary", ...words, "--json"]);
  expect([words, code]).toEqual([words, exit]);
  const value = JSON.parse(out);
  v.parse(cliSchemas["cli/canary.v1"] ?? v.never(), value);
  return value;
}

/** The executable of an installed plugin, made to be changed. */
function installedProgram(scratch: Scratch, id: string, program: string): string {
  const plugins = join(scratch.folder, ".local/share/gum/default/plugins", id);
  const root = readdirSync(plugins).find((name) => !name.includes(".")) ?? "";
  const path = join(plugins, root, program);
  chmodSync(path, 0o755);
  return path;
}

test("C4 C9 C11 canaries answer as published, whether they pass or fail", async () => {
  await using scratch = createScratch();
  await answer(scratch, ["plugin", "install", scratch.plugin("moody"), "--yes"]);
  expect(await canary(scratch, ["--plugin=moody"])).toMatchObject({
    ok: true,
    live: false,
    status: "active",
  });
  expect(await canary(scratch, ["--all", "--live", "--jobs", "2"])).toMatchObject({ ok: true, live: true });
  appendFileSync(installedProgram(scratch, "moody", "bin/moody-mcp"), "#");
  const failed = await canary(scratch, ["--all"], 5);
  expect(failed.canaries[0].error.code).toBe("PLUGIN_EXECUTABLE_UNTRUSTED");
  expect((await canary(scratch, ["--plugin", "moody"], 4)).status).toBe("quarantined");
});

test("C4 what contradicts itself is a mistake of the caller", async () => {
  await using scratch = createScratch();
  for (const words of [
    [],
    ["--all", "--plugin=moody"],
    ["--plugin=moody", "--jobs", "2"],
    ["--plugin=moody", "--canary-args", "a=1"],
    ["--all", "--live", "--canary-args", "a=1"],
  ]) {
    expect((await failure(scratch, ["canary", ...words])).slice(0, 2)).toEqual([2, "USAGE"]);
  }
});

test("C9 C10 reload, unquarantine and diff answer as published", async () => {
  await using scratch = createScratch();
  await answer(scratch, ["plugin", "install", scratch.plugin("moody"), "--yes"]);
  expect(await answer(scratch, ["plugin", "diff", "moody"])).toMatchObject({ drift: false, class: null });
  const own = join(scratch.folder, ".local/share/gum/default/plugin-data/moody/home");
  const tools = [{ name: "look", description: "Looks", inputSchema: { type: "object" } }];
  writeFileSync(join(own, "mood.json"), JSON.stringify({ tools }));
  const { changes } = await answer(scratch, ["plugin", "diff", "moody"], 4);
  expect(changes.length).toBeGreaterThan(1);
  await canary(scratch, ["--plugin=moody"], 4);
  expect((await failure(scratch, ["plugin", "unquarantine", "moody"])).slice(0, 2)).toEqual([
    9,
    "REQUIRES_CONFIRMATION",
  ]);
  const typed = { interactive: { stdin: true, stderr: true, stdout: true } };
  const asked = await scratch.gum(["plugin", "unquarantine", "moody"], { ...typed, answers: ["no"] });
  expect([asked.code, asked.questions.length]).toEqual([9, 1]);
  expect(await answer(scratch, ["plugin", "unquarantine", "moody", "--yes"])).toMatchObject({
    changed: true,
    lifted: "PLUGIN_TOOLS_DRIFT",
  });
  writeFileSync(join(own, "mood.json"), "{}");
  expect(await answer(scratch, ["plugin", "reload", "moody"])).toMatchObject({ live: true, accepted: [] });
  expect((await scratch.gum(["plugin", "reload", "moody"])).out).toBe("reloaded moody\n");
});

test("L9 wrap answers as published, and says how to install what it made", async () => {
  await using scratch = createScratch();
  const script = join(scratch.folder, "tiny.py");
  writeFileSync(
    script,
    `#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    r = {"initialize": {"protocolVersion": m.get("params", {}).get("protocolVersion"), "capabilities": {"tools": {}},
                        "serverInfo": {"name": "tiny", "version": "3"}},
         "tools/list": {"tools": [{"name": "ping", "inputSchema": {"type": "object"}}]}}.get(m["method"])
    if "id" in m and r: print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`,
  );
  const out = join(scratch.folder, "made");
  const made = await answer(scratch, ["plugin", "wrap", "--out", out, "--env=A=b", script]);
  expect(made).toMatchObject({ plugin: "tiny", kind: "file", install_command: `gum plugin install ${out}` });
  const again = join(scratch.folder, "again");
  const said = await scratch.gum(["plugin", "wrap", "--out", again, script]);
  expect(said.out).toBe(
    `Wrapped tiny 3 in ${again}: 1 file, 1 tool (0 read, 0 write, 1 destructive).\nInstall it with: gum plugin install ${again}\n`,
  );
  expect(await answer(scratch, ["plugin", "install", out, "--yes"])).toMatchObject({ ok: true });
  expect((await failure(scratch, ["plugin", "wrap"])).slice(0, 2)).toEqual([2, "USAGE"]);
  expect((await failure(scratch, ["plugin", "wrap", "--env=nothing", script])).slice(0, 2)).toEqual([
    2,
    "USAGE",
  ]);
});
