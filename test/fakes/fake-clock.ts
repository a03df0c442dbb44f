import type { Clock } from "../../src/host/host.ts";

export interface FakeClock extends Clock {
  /** Moves both clocks on. */
  advance(ms: number): void;
  /** What was slept, in order. */
  readonly slept: readonly number[];
}

/** A clock that stands still until it is moved; a sleep moves it by its length and ends at once. */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let passed = 0;
  const slept: number[] = [];
  return {
    now: () => start + passed,
    monotonic: () => passed,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      passed += ms;
    },
    advance(ms) {
      passed += ms;
    },
    slept,
  };
}
