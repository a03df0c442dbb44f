// Advisory locks on files. No runtime that gum runs on offers flock(2), but the lock belongs to the open file and
// not to the process: a child that gets the descriptor, takes the lock and ends leaves it to gum.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { isErrno } from "../base/errors.ts";
import { realFiles } from "./files.ts";
import type { Files, HeldLock } from "./host.ts";
import { rowArch, runRows } from "./native/run.ts";
import { realProcesses } from "./processes.ts";

export type LockOptions = Parameters<Files["lock"]>[1];

const shared = 1;
const exclusive = 2;
const atOnce = 4;
const wouldBlock = -11;
/** O_SHLOCK and O_EXLOCK: macOS takes the lock as it opens the file. */
const macLockFlags = { shared: 0x10, exclusive: 0x20 } as const;
const macRetryMs = 20;

/** Takes the lock, or answers undefined when the time is over or the signal fires. */
export async function lockFile(path: string, options: LockOptions): Promise<HeldLock | undefined> {
  if (process.platform === "darwin") return lockOnMac(path, options);
  if (rowArch(process) === undefined) {
    throw Object.assign(new Error(`Cannot lock files on ${process.platform}`), { code: "ENOTSUP" });
  }
  const fd = openLock(path, 0);
  try {
    if (await takeLock(fd, options)) return heldLock(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  // A child that was ended may have got the lock at the last moment: closing gives it back.
  closeSync(fd);
  return undefined;
}

async function takeLock(fd: number, options: LockOptions): Promise<boolean> {
  const kind = options.shared ? shared : exclusive;
  const operation = options.waitMs > 0 ? kind : kind | atOnce;
  const signal = options.waitMs > 0 ? endOfWait(options) : options.signal;
  if (options.signal?.aborted) return false;
  const inherited = 4;
  const run = await runRows(
    { files: realFiles, processes: realProcesses, env: process.env, machine: machine() },
    [
      { name: "take the lock", call: "flock", args: [inherited, operation], expect: 0 },
      { name: "end", call: "exit_group", args: [0], expect: "any" },
    ],
    { descriptors: [fd], signal },
  );
  if (run.code === 0) return true;
  const [failure] = run.outcomes;
  if (failure === undefined || failure.result === wouldBlock) return false;
  throw Object.assign(new Error(`Cannot lock the file: errno ${-failure.result}`), { code: "EIO" });
}

function endOfWait({ waitMs, signal }: LockOptions): AbortSignal {
  const timeout = AbortSignal.timeout(waitMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

async function lockOnMac(path: string, options: LockOptions): Promise<HeldLock | undefined> {
  const flag = options.shared ? macLockFlags.shared : macLockFlags.exclusive;
  const deadline = performance.now() + options.waitMs;
  for (;;) {
    if (options.signal?.aborted) return undefined;
    try {
      return heldLock(openLock(path, flag | constants.O_NONBLOCK));
    } catch (error) {
      if (!isErrno(error, "EAGAIN", "EWOULDBLOCK")) throw error;
    }
    if (performance.now() >= deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, macRetryMs));
  }
}

function openLock(path: string, extraFlags: number): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const fd = openSync(path, flags | extraFlags, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  // What the system itself answers for a socket; a FIFO it would open.
  throw Object.assign(new Error(`ENXIO: no regular file: ${path}`), { code: "ENXIO", path });
}

function heldLock(fd: number): HeldLock {
  let held = true;
  return {
    async describe(text) {
      ftruncateSync(fd, 0);
      const bytes = new TextEncoder().encode(text);
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(fd, bytes, done, bytes.length - done, done);
      }
    },
    async release() {
      if (!held) return;
      held = false;
      closeSync(fd);
    },
  };
}

function machine() {
  return {
    platform: process.platform,
    arch: process.arch,
    home: homedir(),
  };
}
