// Many first calls at once would each verify the same plugin before one of them starts it. Here the first does, and the
// others wait until there is a process to share, or until the first has failed and it is the next one's turn.
import type { SessionOwner, SessionSource } from "../model/call-runtime.ts";

export interface SingleStart extends SessionSource {
  /** Says that the call with this signal is over, however it ended. */
  over(signal: AbortSignal): void;
}

/** Sessions of the source, of which only one is prepared at a time for each plugin. */
export function singleStart(source: SessionSource): SingleStart {
  const preparing = new Map<
    string,
    { readonly by: AbortSignal; readonly ready: PromiseWithResolvers<void> }
  >();
  const release = (key: string): void => {
    preparing.get(key)?.ready.resolve();
    preparing.delete(key);
  };
  return {
    async borrow(owner, signal) {
      const key = keyOf(owner);
      for (;;) {
        const lent = await source.borrow(owner, signal);
        if (lent !== undefined || owner.oneShot) return lent;
        const other = preparing.get(key);
        if (other === undefined || other.by === signal) break;
        await orAborted(other.ready.promise, signal);
      }
      preparing.set(key, { by: signal, ready: Promise.withResolvers<void>() });
      return undefined;
    },
    async open(owner, signal, start) {
      // The source knows of the process as soon as it is asked for it: from here on others share it, and its failure.
      const opened = source.open(owner, signal, start);
      release(keyOf(owner));
      return opened;
    },
    over(signal) {
      for (const [key, { by }] of preparing) if (by === signal) release(key);
    },
  };
}

function keyOf({ plugin, version, installRoot, terms }: SessionOwner): string {
  return JSON.stringify([plugin, version, installRoot, terms]);
}

async function orAborted(ready: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([ready, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
