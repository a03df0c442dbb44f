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
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, "plugin", "install", plugin, "--yes", "--trace"], {
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
