import type { Image } from "./elf.ts";
import { rowBytes } from "./loop.ts";
import type { Row } from "./row.ts";

/** What a row answered: the outcome that ended the program, or one that it was asked to tell. */
export interface Outcome {
  readonly row: Row;
  readonly index: number;
  /** The syscall's result; an errno is negative. */
  readonly result: number;
}

const recordBytes = 16;

/** Reads `{ row address, result }` records; a cut or foreign record is an error, never ignored. */
export function readOutcomes(status: Uint8Array, image: Image): Outcome[] {
  if (status.length % recordBytes !== 0) throw new RangeError("Cannot read the status: a record is cut");
  const view = new DataView(status.buffer, status.byteOffset, status.length);
  const outcomes: Outcome[] = [];
  for (let at = 0; at < status.length; at += recordBytes) {
    const index = (Number(view.getBigUint64(at, true)) - image.table) / rowBytes;
    const row = image.rows[index];
    if (row === undefined) throw new RangeError("Cannot read the status: a record names no row");
    outcomes.push({ row, index, result: Number(view.getBigInt64(at + 8, true)) });
  }
  return outcomes;
}
