import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { BoundStep } from "./pipeline.ts";

/** The caller's signal, aborted as well when the step's time is over. */
export function timedSignal(signal: AbortSignal, timeoutMs: number | undefined): AbortSignal {
  return timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** How long a step that was told to stop may take to do so before it is left behind. */
const graceMs = 2_000;

/** The step's answer, unless its time was over first, whether it listened to its signal or not. */
export function withinTime<T>(bound: BoundStep, host: Host, work: () => T | Promise<T>): T | Promise<T> {
  const { timeoutMs, step } = bound;
  // What is committed counts, however long it took.
  if (timeoutMs === undefined || step.commits) return work();
  return limited(bound.name, timeoutMs, host, work);
}

async function limited<T>(
  name: string,
  timeoutMs: number,
  host: Host,
  work: () => T | Promise<T>,
): Promise<T> {
  const start = host.clock.monotonic();
  const late = new GumError("PLUGIN_TIMEOUT", `Step "${name}" took longer than ${timeoutMs} ms.`, {
    hint: `raise timeout_ms of "${name}" in the pipeline`,
  });
  const done = new AbortController();
  const patience = host.clock.sleep(timeoutMs + graceMs, done.signal).then(() => {
    throw late;
  });
  try {
    const answer = await Promise.race([Promise.resolve(work()), patience]);
    if (host.clock.monotonic() - start > timeoutMs) throw late;
    return answer;
  } catch (error) {
    throw host.clock.monotonic() - start > timeoutMs ? late : error;
  } finally {
    done.abort();
    patience.catch(() => undefined); // the race is over
  }
}
