import { GumError } from "../base/errors.ts";
import type { Kernel } from "./kernel.ts";

/** What is under way, and how it ends. */
export function createWork(clock: Kernel["host"]["clock"], life: AbortSignal) {
  const running = new Set<Promise<unknown>>();
  const signalsOf = createSignals(life);
  let ending = false;
  let calls = 0;
  let failures = 0;
  return {
    counts: () => ({ running: running.size, calls, failures }),
    /** Runs until it is done, or until its caller or the server does not want it any more. */
    async during<T>(start: (signal: AbortSignal) => Promise<T>, caller: AbortSignal): Promise<T> {
      if (ending) throw new GumError("SERVICE_DOWN", "The server is ending and takes no more calls.");
      calls++;
      const both = signalsOf(caller);
      const work = start(both.signal);
      running.add(work);
      try {
        return await work;
      } catch (error) {
        failures++;
        throw error;
      } finally {
        running.delete(work);
        both.stop();
      }
    },
    /** Takes no more, and waits for what runs as long as it may. */
    async end(graceMs: number): Promise<void> {
      ending = true;
      if (running.size === 0) return;
      const done = new AbortController();
      const all = Promise.allSettled(running).then(() => done.abort());
      await Promise.race([all, clock.sleep(graceMs, done.signal).catch(() => undefined)]); // whichever comes first
      done.abort();
    },
    async settled(): Promise<void> {
      await Promise.allSettled(running);
    },
  };
}

/** Signals that are aborted with their caller's or with the server's, which hears of it by one listener for all. */
function createSignals(life: AbortSignal): (caller: AbortSignal) => { signal: AbortSignal; stop(): void } {
  const open = new Set<AbortController>();
  life.addEventListener("abort", () => open.forEach((control) => void control.abort(life.reason)), {
    once: true,
  });
  return (caller) => {
    const control = new AbortController();
    const onAbort = (): void => control.abort(caller.reason);
    if (life.aborted) control.abort(life.reason);
    else if (caller.aborted) onAbort();
    open.add(control);
    caller.addEventListener("abort", onAbort, { once: true });
    return {
      signal: control.signal,
      stop() {
        open.delete(control);
        caller.removeEventListener("abort", onAbort);
      },
    };
  };
}
