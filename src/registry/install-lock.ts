import { GumError, isErrno } from "../base/errors.ts";
import type { HeldLock, Host } from "../host/host.ts";
import { foldersOf, type RegistryHome, registryIo } from "./folders.ts";

export interface LockRequest {
  /** What the user ran, shown to those who wait. */
  readonly command: string;
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How long a change waits for another one (R6). */
export const lockBudgetMs = 30_000;

/** Runs work while no other process changes the registry; REGISTRY_LOCKED names the one that does. */
export async function withInstallLock<T>(
  host: Host,
  home: RegistryHome,
  request: LockRequest,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await takeInstallLock(host, home, request);
  if (lock === undefined) throw await lockedBy(host, home);
  try {
    return await work();
  } finally {
    try {
      // A change that failed leaves no trace of itself; one byte stays, so that a full disk can still be locked.
      await registryIo(home, "unlock", () => lock.describe("\n"));
    } finally {
      await lock.release();
    }
  }
}

/** Takes the install lock; undefined when the time is over. */
export async function takeInstallLock(
  host: Host,
  home: RegistryHome,
  { command, waitMs = lockBudgetMs, signal }: LockRequest,
): Promise<HeldLock | undefined> {
  const path = foldersOf(home).installLock;
  return registryIo(home, "lock", async () => {
    const lock = await host.files.lock(path, { waitMs, ...(signal === undefined ? {} : { signal }) });
    const since = new Date(host.clock.now()).toISOString();
    try {
      await lock?.describe(`${JSON.stringify({ pid: host.machine.pid, command, since })}\n`);
    } catch (error) {
      await lock?.release();
      throw error;
    }
    return lock;
  });
}

async function lockedBy(host: Host, home: RegistryHome): Promise<GumError> {
  const holder = await readHolder(host, foldersOf(home).installLock);
  const named =
    holder === undefined
      ? "another process"
      : `process ${holder.pid} (${holder.command}, since ${holder.since})`;
  return new GumError("REGISTRY_LOCKED", `The registry of profile "${home.name}" is held by ${named}.`, {
    retryable: true,
    details: { profile: home.name, ...(holder ?? {}) },
  });
}

async function readHolder(
  host: Host,
  path: string,
): Promise<{ pid: number; command: string; since: string } | undefined> {
  try {
    const value: unknown = JSON.parse(await host.files.readText(path, { maxBytes: 65_536 }));
    if (typeof value !== "object" || value === null) return undefined;
    const pid = Reflect.get(value, "pid");
    const command = Reflect.get(value, "command");
    const since = Reflect.get(value, "since");
    if (typeof pid !== "number" || typeof command !== "string" || typeof since !== "string") return undefined;
    return { pid, command, since };
  } catch (error) {
    if (isErrno(error, "ENOENT", "EACCES") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
