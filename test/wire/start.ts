// Starts the plugins of test/plugins as plain processes: the wire is tested here, the sandbox elsewhere.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GumError } from "../../src/base/errors.ts";
import { realClock } from "../../src/host/clock.ts";
import type { ExitStatus, Plumbing } from "../../src/model/session.ts";
import { type McpOptions, openMcp } from "../../src/wire/mcp.ts";
import type { McpSession } from "../../src/wire/mcp-session.ts";

const quiet = () => undefined;
export const host = {
  clock: realClock,
  log: { level: "silent", debug: quiet, info: quiet, warn: quiet },
} as const;

export const pluginsFolder = join(import.meta.dir, "..", "plugins");

const started: Plumbing[] = [];
const folders: string[] = [];

/** For `afterEach` of every file that starts something: a hook set here would serve the first of these files only. */
export async function endAll(): Promise<void> {
  const left = started.splice(0);
  for (const plumbing of left) plumbing.end();
  await Promise.all(left.map((plumbing) => plumbing.exited));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gum-wire-"));
  folders.push(folder);
  return folder;
}

/** A started plugin; whatever is left of it is killed after the test. */
export function start(plugin: string, env: Record<string, string> = {}): Plumbing {
  return startProgram(join(pluginsFolder, plugin, "bin", `${plugin}-mcp`), [], env);
}

export function startProgram(file: string, args: string[], env: Record<string, string> = {}): Plumbing {
  const child = spawn(file, args, {
    env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", ...env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) throw new Error(`Cannot start ${file}`);
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const plumbing = {
    pid,
    stdin,
    stdout,
    stderr,
    exited,
    terminate: () => signalGroup(pid, "SIGTERM"),
    end: () => signalGroup(pid, "SIGKILL"),
  };
  started.push(plumbing);
  return plumbing;
}

/** A session with a plugin of test/plugins. */
export function open(plugin: string, options: Partial<McpOptions> = {}): Promise<McpSession> {
  return openMcp(host, start(plugin), { plugin, version: "0.3.0", ...options });
}

/** The GumError that the promise fails with. */
export async function failureOf(promise: Promise<unknown>): Promise<GumError> {
  const outcome = await promise.then(
    () => "it did not fail",
    (error: unknown) => error,
  );
  if (outcome instanceof GumError) return outcome;
  throw new Error(`Expected a GumError: ${String(outcome)}`);
}

/** Whether the process exists and is not merely waiting to be reaped. */
export async function runs(pid: number): Promise<boolean> {
  const status = await Bun.file(`/proc/${pid}/status`).text().catch(quiet);
  return status !== undefined && !/^State:\s+[ZX]/m.test(status);
}

/** Waits until the condition holds; the test's own time limit ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await realClock.sleep(5);
}

function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
