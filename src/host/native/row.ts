// A plan is a list of rows. Each row is one syscall with its arguments and the result that it must have; a
// program of a few hundred bytes (elf.ts) runs them in order and stops at the first surprise.
import type { SyscallName } from "./numbers.ts";

export interface Row {
  /** What the row is for; shown when it fails. */
  readonly name: string;
  readonly call: SyscallName;
  /** Up to six; the rest is zero. */
  readonly args: readonly Arg[];
  readonly expect: Expect;
  /** A name that other rows can jump to. */
  readonly label?: string;
}

/** A number, bytes in the program's memory, the address of another row, or the environment it was started with. */
export type Arg = number | bigint | Data | { readonly row: string } | "environment";

/**
 * What a row's result must be: exactly this number (an errno is negative), or
 * - `any`: whatever it is
 * - `non-negative`: no errno
 * - `fork`: the child goes on at the row named in the sixth argument, the parent at the next one
 * - `or-else`: an errno leads to the row named in the sixth argument
 * - `report`: whatever it is, and gum is told
 */
export type Expect = number | "any" | "non-negative" | "fork" | "or-else" | "report";

/** Bytes that a row points at. */
export interface Data {
  readonly bytes: Uint8Array;
  /** Places in the bytes that hold the address of other data. */
  readonly pointers: readonly { readonly at: number; readonly to: Data }[];
}

/**
 * The kinds as they stand in a row. No syscall can answer with one of these: errnos end at −4095. Whole multiples
 * of 4096 fit the immediate operand of a comparison on both architectures.
 */
export const sentinels = {
  any: -2 << 12,
  "non-negative": -3 << 12,
  fork: -4 << 12,
  "or-else": -5 << 12,
  report: -6 << 12,
} as const satisfies Record<Exclude<Expect, number>, number>;

/** Which argument a `fork` or `or-else` row takes its target from. */
export const jumpArgument = 5;

const encoder = new TextEncoder();

/** Plain bytes. */
export function data(bytes: Uint8Array, pointers: Data["pointers"] = []): Data {
  return { bytes, pointers };
}

/** Zeroes that the kernel may write into. */
export function scratch(size: number): Data {
  return data(new Uint8Array(size));
}

/** Text with the zero byte that ends it; a zero inside would silently cut it, so it is refused. */
export function text(value: string): Data {
  if (value.includes("\0")) throw new TypeError("Cannot pass text to the kernel: it holds a zero byte");
  return data(encoder.encode(`${value}\0`));
}

/** A list of pointers that ends with a null, like argv. */
export function pointerList(items: readonly Data[]): Data {
  return data(
    new Uint8Array(8 * (items.length + 1)),
    items.map((to, index) => ({ at: index * 8, to })),
  );
}

/** Unsigned 64-bit numbers, one after the other. */
export function words(...values: readonly (number | bigint)[]): Data {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => {
    view.setBigUint64(index * 8, BigInt.asUintN(64, BigInt(value)), true);
  });
  return data(bytes);
}
