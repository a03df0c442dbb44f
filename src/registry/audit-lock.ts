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

/**
 * A lock that is taken when it is needed and let go `lingerMs` after the last use; `before` runs right before that.
 * Uses do not overlap.
 */
export function lingeringLock(
  host: Host,
  home: RegistryHome,
  lingerMs: number,
  before: () => Promise<void>,
): LingeringLock {
  const { clock } = host;
  let held: { lock: HeldLock; since: number } | undefined;
  let watch: AbortController | undefined;
  let busy = false;
  let usedAt = 0;

  async function release(): Promise<void> {
    watch?.abort();
    watch = undefined;
    const letting = held;
    held = undefined;
    if (letting === undefined) return;
    try {
      await before();
    } finally {
      await letting.lock.release();
    }
  }

  /** One timer for the time that the lock is held, not one for each use: it looks how long ago the last one was. */
  async function watchOver(): Promise<void> {
    const own = new AbortController();
    watch = own;
    for (let left = lingerMs; left > 0; ) {
      try {
        await clock.sleep(left, own.signal);
      } catch (error) {
        if (own.signal.aborted) return;
        throw error;
      }
      left = busy ? lingerMs : usedAt + lingerMs - clock.monotonic();
    }
    if (watch === own) await release();
  }

  return {
    async during(work) {
      busy = true;
      try {
        held ??= { lock: await takeLock(host, home), since: clock.monotonic() };
        return await work();
      } finally {
        busy = false;
        usedAt = clock.monotonic();
        const tired = held !== undefined && usedAt - held.since >= longestHoldMs;
        if (lingerMs <= 0 || tired) await release();
        else if (held !== undefined && watch === undefined) void watchOver();
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
