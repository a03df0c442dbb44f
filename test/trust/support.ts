import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createHost } from "../../src/host/real.ts";

/** A folder of the test's own, gone when the test's `await using` ends. */
export function tempFolder(): { path: string; [Symbol.asyncDispose](): Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), "gum-trust-"));
  return { path, [Symbol.asyncDispose]: () => createHost().files.removeTree(path) };
}

/** Writes files below a folder; a value with `mode` sets it. */
export function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | { readonly text: string; readonly mode: number }>>,
): void {
  for (const [name, file] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof file === "string" ? file : file.text);
    if (typeof file !== "string") chmodSync(path, file.mode);
  }
}

/** Ends a program after its time; its output and exit code. */
export function runProgram(
  words: readonly string[],
  cwd: string,
): { code: number; out: string; err: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { cwd, timeout: 20_000 });
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}
