// A row that was read and not changed keeps its bytes: publishing costs what was changed, not what is installed.
import { Buffer } from "node:buffer";
import * as v from "valibot";
import { GumError } from "../base/errors.ts";

/** Where a row stands in the file that it was read from. */
export interface RowPlace {
  readonly file: Buffer;
  readonly start: number;
  readonly end: number;
}
export type RowBytes = ReadonlyMap<object, RowPlace>;

const rowEnd = Buffer.from("\n    }");
const betweenRows = Buffer.from(",\n");

/** Finds the rows of one list in the file that they were read from; rows that are found are frozen. */
export function findRows(
  known: Map<object, RowPlace>,
  rows: readonly object[],
  from: Uint8Array,
  list: string,
): void {
  const file = Buffer.from(from.buffer, from.byteOffset, from.byteLength);
  const open = `\n  "${list}": [\n`;
  const found: RowPlace[] = [];
  let start = file.indexOf(open);
  if (start < 0) return;
  start += open.length;
  // Inner lines are indented deeper and a string holds no raw newline, so this stands only at the end of a row.
  for (let at = file.indexOf(rowEnd, start); at >= 0; at = file.indexOf(rowEnd, start)) {
    const end = at + rowEnd.length;
    found.push({ file, start, end });
    start = end + betweenRows.length;
    if (file[end] !== betweenRows[0]) break;
  }
  if (found.length !== rows.length) return;
  for (const [at, row] of rows.entries()) {
    const place = found[at];
    if (place !== undefined) known.set(Object.freeze(row), place);
  }
}

/** The bytes of a list's rows with their commas; those that stood together and still do are one piece. */
export function rowParts(model: v.GenericSchema, rows: readonly object[], known: RowBytes): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let last: RowPlace | undefined;
  for (const row of rows) {
    const place = known.get(row);
    if (place !== undefined && last?.file === place.file && place.start === last.end + betweenRows.length) {
      last = { ...last, end: place.end };
      parts[parts.length - 1] = last.file.subarray(last.start, last.end);
      continue;
    }
    if (parts.length > 0) parts.push(betweenRows);
    parts.push(place === undefined ? newRow(model, row) : place.file.subarray(place.start, place.end));
    last = place;
  }
  return parts;
}

function newRow(model: v.GenericSchema, row: object): Uint8Array {
  const result = v.safeParse(model, row);
  if (!result.success) throw brokenRow(row, result.issues[0]);
  return Buffer.from(`    ${JSON.stringify(result.output, null, 2).replaceAll("\n", "\n    ")}`);
}

function brokenRow(row: object, issue: v.BaseIssue<unknown>): GumError {
  const name =
    "name" in row ? row.name : "variant_id" in row ? row.variant_id : "prefix" in row ? row.prefix : "?";
  const where = v.getDotPath(issue) ?? "?";
  return new GumError(
    "INTERNAL_ERROR",
    `The registry row of "${String(name)}" is wrong at ${where}: ${issue.message}.`,
  );
}
