// W10: the sessions of a long-lived host. One process per install of a plugin, several calls in flight on it; it is
// closed when nobody has called for a while. What starts a process is always `open`, whose caller has verified it.
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { LentSession, SessionOwner, SessionSource } from "../model/call-runtime.ts";
import type { Session } from "../model/session.ts";
import { OneShots } from "./one-shots.ts";

export interface PoolOptions {
  readonly idleMs?: number | undefined;
  /** How many calls one process works on at once; others wait. */
  readonly maxInFlight?: number | undefined;
  /** How many calls may wait for one process; more are refused at once. */
  readonly maxWaiting?: number | undefined;
}

export interface SessionPool extends SessionSource {
  /** How many processes run or are being started. */
  readonly size: number;
  /** Closes a plugin's sessions, as after its removal; calls under way end with it. */
  retire(plugin: string): Promise<void>;
  /** Closes every session; nothing can be opened afterwards. */
  close(): Promise<void>;
}

const defaults = { idleMs: 5 * 60_000, maxInFlight: 64, maxWaiting: 1024 } as const;

/** A process per call costs more than a call on a process that runs. */
const maxOneShots = 16;

/** An empty pool. */
export function createSessionPool(clock: Host["clock"], options: PoolOptions = {}): SessionPool {
  const limits = {
    idleMs: options.idleMs ?? defaults.idleMs,
    maxInFlight: options.maxInFlight ?? defaults.maxInFlight,
    maxWaiting: options.maxWaiting ?? defaults.maxWaiting,
  };
  const entries = new Map<string, PooledProcess>();
  const life = new AbortController();
  const oneShots = new OneShots({
    maxRunning: Math.min(maxOneShots, limits.maxInFlight),
    maxWaiting: limits.maxWaiting,
  });

  const begin = (owner: SessionOwner, start: (signal: AbortSignal) => Promise<Session>): PooledProcess => {
    const key = keyOf(owner);
    const entry = new PooledProcess(clock, owner, limits, start(life.signal), () => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    entries.set(key, entry);
    // Another install of the same plugin has taken its place: whoever still calls the old one may finish.
    for (const other of entries.values())
      if (other !== entry && other.plugin === owner.plugin) other.retireSoon();
    return entry;
  };

  return {
    get size() {
      return entries.size + oneShots.size;
    },
    async borrow(owner, signal) {
      const entry = entries.get(keyOf(owner));
      return entry?.lend(signal);
    },
    async open(owner, signal, start) {
      if (life.signal.aborted) throw closed(owner.plugin);
      if (owner.oneShot) {
        return oneShots.open(owner, signal, () => start(AbortSignal.any([life.signal, signal])));
      }
      // Two calls that both found nothing verified it both; one process is enough.
      return (entries.get(keyOf(owner)) ?? begin(owner, start)).lend(signal);
    },
    async retire(plugin) {
      const own = [...entries.values()].filter((entry) => entry.plugin === plugin);
      await Promise.all([oneShots.close(plugin), ...own.map((entry) => entry.close())]);
    },
    async close() {
      life.abort(closed("any"));
      await Promise.all([oneShots.close(), ...[...entries.values()].map((entry) => entry.close())]);
    },
  };
}

interface Limits {
  readonly idleMs: number;
  readonly maxInFlight: number;
  readonly maxWaiting: number;
}

interface Waiting {
  go(): void;
}

class PooledProcess {
  readonly plugin: string;
  readonly #clock: Host["clock"];
  readonly #limits: Limits;
  readonly #started: Promise<Session>;
  readonly #leave: () => void;
  readonly #waiting = new Set<Waiting>();
  #inFlight = 0;
  /** When the last call ended, while none is under way. */
  #idleSince: number | undefined;
  readonly #life = new AbortController();
  #watched = false;
  #retiring = false;
  #closing: Promise<void> | undefined;

  constructor(
    clock: Host["clock"],
    owner: SessionOwner,
    limits: Limits,
    started: Promise<Session>,
    leave: () => void,
  ) {
    this.plugin = owner.plugin;
    this.#clock = clock;
    this.#limits = limits;
    this.#started = started;
    this.#leave = leave;
    // A process that did not start, or died, makes room at once: the next call verifies and starts another.
    started.then(
      (session) => session.over?.then(leave),
      () => leave(),
    );
  }

  /** The session once there is a place for one more call; it settles only after the start has. */
  async lend(signal: AbortSignal): Promise<LentSession> {
    this.#idleSince = undefined;
    const place = this.#takePlace(signal);
    try {
      const [session] = await Promise.all([this.#started, place]);
      signal.throwIfAborted();
      let lent = true;
      const release = async (): Promise<void> => {
        if (lent) this.#giveBack();
        lent = false;
      };
      return { session, release };
    } catch (error) {
      // Both must have settled: whoever opened the process keeps its file open until then.
      await this.#started.catch(() => undefined); // told by whoever waits for it
      place.then(
        () => this.#giveBack(),
        () => undefined, // never had a place
      );
      throw error;
    }
  }

  /** Closes the process when the calls on it have ended. */
  retireSoon(): void {
    this.#retiring = true;
    if (this.#inFlight === 0) void this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#leave();
    this.#life.abort();
    const session = await this.#started.catch(() => undefined); // nothing runs
    await session?.close();
  }

  #takePlace(signal: AbortSignal): Promise<void> {
    if (this.#inFlight < this.#limits.maxInFlight) {
      this.#inFlight++;
      return Promise.resolve();
    }
    if (this.#waiting.size >= this.#limits.maxWaiting) return Promise.reject(tooMany(this.plugin));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      go: () => {
        signal.removeEventListener("abort", stop);
        resolve();
      },
    };
    const stop = (): void => {
      this.#waiting.delete(waiting);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#waiting.add(waiting);
    return promise;
  }

  /** The place goes to whoever has waited longest. */
  #giveBack(): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      next.go();
      return;
    }
    this.#inFlight--;
    if (this.#inFlight > 0 || this.#closing !== undefined) return;
    this.#idleSince = this.#clock.monotonic();
    if (this.#retiring) void this.close();
    else if (!this.#watched) void this.#watch();
  }

  /** One timer for the life of the process, not one for each call: it looks whether the last call is long ago. */
  async #watch(): Promise<void> {
    this.#watched = true;
    const { idleMs } = this.#limits;
    for (let left = idleMs; left > 0; ) {
      try {
        await this.#clock.sleep(left, this.#life.signal);
      } catch {
        return; // closed in the meantime
      }
      const since = this.#idleSince ?? this.#clock.monotonic();
      left = since + idleMs - this.#clock.monotonic();
    }
    await this.close();
  }
}

function keyOf({ plugin, version, installRoot, terms }: SessionOwner): string {
  return JSON.stringify([plugin, version, installRoot, terms]);
}

function tooMany(plugin: string): GumError {
  return new GumError("RATE_LIMITED", `Too many calls wait for plugin "${plugin}".`, { retryable: true });
}

function closed(plugin: string): GumError {
  return new GumError("SERVICE_DOWN", `The sessions of plugin "${plugin}" are being closed.`, {
    details: { cause: "session_closed" },
  });
}
