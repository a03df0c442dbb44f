/** One promise about speed: what is measured, against what, and how far it may go. */
export interface BenchRow {
  readonly id: string;
  readonly what: string;
  readonly against: string;
  measure(): Promise<Measured>;
}

/** Both sides of a comparison that was made in one run, and the figure that counts. */
export interface Measured {
  readonly own: Spread;
  readonly other: Spread;
  readonly figure: number;
  readonly limit: number;
  /** What the figure counts, such as `×` or `µs per step`. */
  readonly unit: string;
  /** What both sides are counted in, where that is not milliseconds. */
  readonly measuredIn?: string;
}

/** Many runs in three numbers: a median, and the middle four fifths of the runs. In milliseconds, unless said. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly runs: number;
}

/** The spread of at least twenty runs; fewer say too little. */
export function spreadOf(times: readonly number[]): Spread {
  if (times.length < 20) throw new RangeError(`Cannot judge ${times.length} runs: at least 20 are needed`);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  return { median: at(0.5), low: at(0.1), high: at(0.9), runs: sorted.length };
}

/** A count that is the same every time. */
export function exactly(count: number): Spread {
  return { median: count, low: count, high: count, runs: 1 };
}

/** Times two things in turns, so that whatever else the machine does reaches both alike. */
export async function sideBySide(
  runs: number,
  own: () => Promise<void> | void,
  other: () => Promise<void> | void,
): Promise<{ own: Spread; other: Spread }> {
  const times = { own: [] as number[], other: [] as number[] };
  const warmUp = Math.ceil(runs / 5);
  for (let turn = -warmUp; turn < runs; turn++) {
    const first = await timed(own);
    const second = await timed(other);
    if (turn < 0) continue;
    times.own.push(first);
    times.other.push(second);
  }
  return { own: spreadOf(times.own), other: spreadOf(times.other) };
}

async function timed(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
