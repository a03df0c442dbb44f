import { mkdirSync, writeFileSync } from "node:fs";
import { type BenchRow, sideBySide } from "./row.ts";

const folder = "dist/bench";

/** How long `gum version` takes, beside a program that does nothing. */
export const startUp: BenchRow = {
  id: "B1",
  what: "gum version",
  against: "an empty program, compiled with the same flags",
  async measure() {
    const empty = compileEmpty();
    const both = await sideBySide(
      60,
      () => runOnce(["dist/gum", "version"]),
      () => runOnce([empty]),
    );
    return { ...both, figure: both.own.median / both.other.median, limit: 2, unit: "×" };
  },
};

function compileEmpty(): string {
  const flags = process.env.GUM_COMPILE?.split(/\s+/).filter(Boolean);
  if (flags === undefined) throw new Error("GUM_COMPILE is not set: start this with `make bench`");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/empty.ts`, "export {};\n");
  runOnce([process.execPath, ...flags, `${folder}/empty.ts`, "--outfile", `${folder}/empty`]);
  return `${folder}/empty`;
}

/** Starts a program with almost no environment and waits for its end. */
function runOnce(command: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...command], {
    env: { HOME: `${process.cwd()}/${folder}`, PATH: "/usr/bin:/bin" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}: ${stderr.toString()}`);
}
