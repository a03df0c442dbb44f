import { type ChildProcess, spawn } from "node:child_process";
import { isErrno } from "../base/errors.ts";
import type { Child, Exit, Pipe, Processes, SpawnSpec } from "./host.ts";

/** Real processes. */
export const realProcesses: Processes = { spawn: startChild };

async function startChild(spec: SpawnSpec): Promise<Child> {
  const process = spawn(spec.file, [...spec.args], {
    env: { ...spec.env },
    cwd: spec.cwd,
    stdio: [...spec.stdio],
    detached: spec.detached ?? false,
    shell: false,
  });
  // Both must be listened to before anything else happens: a program that cannot start says so at once.
  const exited = new Promise<Exit>((resolve) => {
    process.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const failure = new Promise<never>((_, reject) => process.once("error", reject));
  failure.catch(() => undefined); // a later failure is told by `exited`
  if (process.pid === undefined) return failure;
  return childOf(process, process.pid, exited);
}

function childOf(process: ChildProcess, pid: number, exited: Promise<Exit>): Child {
  return {
    pid,
    pipes: process.stdio.map((stream) => (stream ?? undefined) as Pipe | undefined),
    exited,
    kill: (signal) => process.kill(signal),
    killGroup: (signal) => sendSignal(-pid, signal),
    unref: () => process.unref(),
  };
}

function sendSignal(target: number, signal: string): boolean {
  try {
    globalThis.process.kill(target, signal);
    return true;
  } catch (error) {
    if (isErrno(error, "ESRCH")) return false;
    throw error;
  }
}
