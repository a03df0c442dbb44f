import type { Place } from "./errors.ts";

/** Lines longer than this are not shown with a finding: one of them may be the whole file. */
const longestShownLine = 400;

/** The place of an offset in a text. */
export function placeIn(file: string, text: string, offset: number): Place {
  return placeAt(file, text, lineStarts(text), offset);
}

/** The offsets at which the lines of a text begin. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}

/** The place of an offset in a text whose lines begin at `starts`. */
export function placeAt(file: string, text: string, starts: readonly number[], offset: number): Place {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const start = starts[low] ?? 0;
  const end = (starts[low + 1] ?? text.length + 1) - 1;
  const place = { file, line: low + 1, column: offset - start + 1 };
  return end - start > longestShownLine
    ? place
    : { ...place, text: text.slice(start, end).replace(/\r$/, "") };
}
