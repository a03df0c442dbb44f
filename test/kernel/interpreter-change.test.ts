import { expect, test } from "bun:test";
import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCanary } from "../../src/kernel/canary.ts";
import { changedInterpreter } from "../../src/steps/interpreter-change.ts";
import { look, type Moody, moody, put } from "./moody.ts";
import { type Scratch, scratch } from "./scratch.ts";

/** What moody does, for a runtime that is a single file wherever it lies. */
const script = `
const { existsSync, readFileSync } = require("node:fs");
const file = process.env.HOME + "/mood.json";
const mood = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "moody", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: mood.tools ?? ${JSON.stringify([look, put])} }),
  "tools/call": () => ({ content: [{ type: "text", text: '{"success":true,"data":{"seen":true}}' }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || !(method in answers)) return;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
});
`;

/** Moody, run by an interpreter of its own that the test may upgrade. */
async function withOwnRuntime(home: Scratch): Promise<{ runtime: string; installed: Moody }> {
  const original = Bun.spawnSync(["node", "-p", "process.execPath"]).stdout.toString().trim();
  const runtime = join(home.folder, "home/runtime/bin/node");
  mkdirSync(dirname(runtime), { recursive: true });
  copyFileSync(original, runtime);
  chmodSync(runtime, 0o755);
  const plugin = home.plugin("moody");
  writeFileSync(join(plugin, "bin/moody-mcp"), `#!${runtime}\n${script}`);
  return { runtime, installed: await moody(home, undefined, "default", plugin) };
}

function upgrade(runtime: string): void {
  chmodSync(runtime, 0o755);
  appendFileSync(runtime, "a newer one");
}

test("T9 a changed interpreter is recorded by the next start and written down, and nothing is quarantined", async () => {
  using home = scratch();
  const { runtime, installed } = await withOwnRuntime(home);
  const { kernel, row, audit } = installed;
  const before = row().interpreter;
  expect(before?.path).toBe(runtime);
  expect((await runCanary(kernel, "moody", { live: false })).ok).toBe(true);
  expect(row().interpreter).toEqual(before);
  upgrade(runtime);
  expect((await runCanary(kernel, "moody", { live: true })).status).toBe("active");
  const after = row().interpreter;
  expect(after?.path).toBe(runtime);
  expect(after?.sha256).not.toBe(before?.sha256);
  const rows = audit().filter(({ event }) => event === "interpreter.changed");
  expect(rows.map(({ plugin, outcome, details }) => [plugin, outcome, details])).toEqual([
    [
      "moody",
      "ok",
      {
        path: runtime,
        from_version: before?.version,
        to_version: before?.version,
        from_sha256: before?.sha256,
        to_sha256: after?.sha256,
      },
    ],
  ]);
  await runCanary(kernel, "moody", { live: true });
  expect(audit().filter(({ event }) => event === "interpreter.changed").length).toBe(1);
});

test("T10 an environment's python that changed is asked inside the sandbox", async () => {
  using home = scratch();
  const { host, profile } = await home.kernel();
  const real = "/usr/bin/python3";
  const path = join(profile.pluginsDir, "hello/env/bin/python");
  const seen = join(home.folder, "seen");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho > ${seen}\nexec ${real} "$@"\n`, { mode: 0o755 });
  const recorded = { path, version: "3.0.0", sha256: "0".repeat(64) };
  expect((await changedInterpreter(host, profile, recorded))?.version).toMatch(/^3\.\d+\.\d+$/);
  expect(existsSync(seen)).toBe(false);
  expect(Bun.spawnSync([path, "-c", ""]).exitCode).toBe(0);
  expect(existsSync(seen)).toBe(true);
});

test("T9 a changed interpreter under which the tools differ is not recorded: that is drift", async () => {
  using home = scratch();
  const { runtime, installed } = await withOwnRuntime(home);
  const { kernel, row, mood } = installed;
  const before = row().interpreter;
  upgrade(runtime);
  mood({ tools: [look, { ...put, description: "Put it there" }] });
  expect((await runCanary(kernel, "moody", { live: false })).error?.code).toBe("PLUGIN_TOOLS_DRIFT");
  expect(row().interpreter).toEqual(before);
});
