import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createScratch } from "./real-world.ts";

const main = join(import.meta.dir, "../../src/main.ts");
const scratch = createScratch();
afterAll(() => scratch[Symbol.asyncDispose]());
const plugin = scratch.plugin("hang-initialize");

/** Installs a plugin that never answers, and sends the signal once its process is to be tried. */
async function installAndSignal(
  signal: NodeJS.Signals,
  ...flags: readonly string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, "plugin", "install", plugin, "--yes", "--trace", ...flags], {
    env: { HOME: scratch.folder, PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  let out = "";
  let err = "";
  let sent = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    if (!sent && / hash +✓/.test(err)) sent = child.kill(signal);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", (ended) => resolve(ended)));
  return { code, out, err };
}

for (const [signal, expected, word] of [
  ["SIGHUP", 129, "hung up"],
  ["SIGINT", 130, "interrupted"],
  ["SIGTERM", 143, "terminated"],
] as const) {
  test(`P15 L1 ${signal} in the middle of an install undoes it and exits ${expected}`, async () => {
    const { code, out, err } = await installAndSignal(signal);
    expect([code, out]).toEqual([expected, ""]);
    expect(err).toEndWith(`gum: ${word}\n`);
    const plugins = join(scratch.folder, ".local/share/gum/default/plugins");
    expect(existsSync(plugins) ? readdirSync(plugins) : []).toEqual([]);
    expect((await scratch.gum(["plugin", "list"])).out).toBe("");
  }, 30_000);
}

test("P15 L2 an interrupted install is recorded as interrupted, and told as one object with --json", async () => {
  const { code, out } = await installAndSignal("SIGINT", "--json");
  expect([code, JSON.parse(out)]).toEqual([
    130,
    { success: false, interrupted: true, signal: "SIGINT", error: "gum was interrupted." },
  ]);
  const rows = JSON.parse((await scratch.gum(["audit", "tail", "--lines", "1", "--json"])).out);
  expect([rows[0].event, rows[0].outcome, rows[0].code]).toEqual([
    "pipeline.install",
    "interrupted",
    undefined,
  ]);
}, 30_000);

test("R8 what a killed install left in staging is put away by the next one", async () => {
  const data = join(scratch.folder, ".local/share/gum/default");
  const killed = await installAndSignal("SIGKILL");
  expect(killed.code).toBe(null);
  const [left = ""] = readdirSync(join(data, "staging"));
  expect(left).toMatch(/^[0-9a-f]{16}$/);
  const { code } = await scratch.gum(["plugin", "install", scratch.plugin("hello"), "--yes"]);
  expect(code).toBe(0);
  expect(readdirSync(join(data, "staging"))).toEqual([]);
  expect(readdirSync(join(data, "quarantine"))).toContain(`staging-${left}`);
}, 30_000);
