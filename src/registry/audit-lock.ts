import { GumError } from "../base/errors.ts";
import type { HeldLock, Host } from "../host/host.ts";
import { foldersOf, type RegistryHome } from "./folders.ts";

/** The audit log's own lock, kept for a while after its last use. */
export interface LingeringLock {
  during<T>(work: () => Promise<T>): Promise<T>;
  release(): Promise<void>;
}

const lockBudgetMs = 30_000;
/** After this long the lock is let go once, even by a process that never pauses. */
const longestHoldMs = 1000;

/** A lock that is taken when it is needed and let go `lingerMs` after the last use. Uses do not overlap. */
export function lingeringLock(host: Host, home: RegistryHome, lingerMs: number): LingeringLock {
  let held: { lock: HeldLock; since: number } | undefined;
  let leaving: AbortController | undefined;

  async function release(): Promise<void> {
    leaving?.abort();
    leaving = undefined;
    const letting = held;
    held = undefined;
    await letting?.lock.release();
  }

  /** Lets go later, unless it is used again before. */
  async function leave(): Promise<void> {
    const stop = new AbortController();
    leaving = stop;
    try {
      await host.clock.sleep(lingerMs, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) return;
      throw error;
    }
    if (leaving === stop) await release();
  }

  return {
    async during(work) {
      leaving?.abort();
      leaving = undefined;
      held ??= { lock: await takeLock(host, home), since: host.clock.monotonic() };
      try {
        return await work();
      } finally {
        const tired = host.clock.monotonic() - held.since >= longestHoldMs;
        if (lingerMs <= 0 || tired) await release();
        else void leave();
      }
    },
    release,
  };
}

async function takeLock(host: Host, home: RegistryHome): Promise<HeldLock> {
  if (!(await host.files.exists(home.dataDir))) {
    await host.files.mkdir(home.dataDir, { mode: 0o700, recursive: true });
  }
  const lock = await host.files.lock(foldersOf(home).auditLock, { waitMs: lockBudgetMs });
  if (lock !== undefined) return lock;
  throw new GumError("REGISTRY_LOCKED", `Another process holds the audit log of profile "${home.name}".`, {
    retryable: true,
  });
}
