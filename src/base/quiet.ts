const quietTurns = 4;

/**
 * Waits until the count has stood still for a few turns of the microtask queue, or has reached the limit. What becomes
 * ready in the same turn of the event loop can then be dealt with together, at the price of no timer.
 */
export async function untilQuiet(count: () => number, limit: number): Promise<void> {
  let seen = 0;
  for (let quiet = 0; quiet < quietTurns && seen < limit; quiet++) {
    const now = count();
    if (now > seen) quiet = 0;
    seen = now;
    await undefined;
  }
}
