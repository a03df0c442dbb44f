/** The nearest of `names`, or undefined when none is close enough to be meant. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  return nearestNames(word, names, 1)[0];
}

/** Up to `count` names that may have been meant, nearest first. */
export function nearestNames(word: string, names: Iterable<string>, count: number): string[] {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const scored: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase(), limit);
    if (distance <= limit) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name));
  return scored.slice(0, count).map(({ name }) => name);
}

/** `: did you mean "x"?`, or nothing. */
export function didYouMean(word: string, names: Iterable<string>): string {
  const near = nearest(word, names);
  return near === undefined ? "" : `: did you mean "${near}"?`;
}

/** Edits (insert, delete, replace, swap of neighbours) between two words; more than `limit` counts as limit + 1. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(before, j - 2) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
