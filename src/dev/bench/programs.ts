import { mkdirSync, writeFileSync } from "node:fs";

export const benchFolder = "dist/bench";

/** A program that does nothing, compiled as gum is. */
export function emptyProgram(): string {
  const flags = process.env.GUM_COMPILE?.split(/\s+/).filter(Boolean);
  if (flags === undefined) throw new Error("GUM_COMPILE is not set: start this with `make bench`");
  mkdirSync(benchFolder, { recursive: true });
  writeFileSync(`${benchFolder}/empty.ts`, "export {};\n");
  runOnce([process.execPath, ...flags, `${benchFolder}/empty.ts`, "--outfile", `${benchFolder}/empty`]);
  return `${benchFolder}/empty`;
}

/** Starts a program with almost no environment and waits for its end. */
export function runOnce(command: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { exitCode, stderr } = Bun.spawnSync([...command], {
    env: { HOME: `${process.cwd()}/${benchFolder}/home`, PATH: "/usr/bin:/bin", ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}: ${stderr.toString()}`);
}
