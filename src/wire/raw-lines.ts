// Cuts a byte stream into lines for the two line protocols, whose processes live on after a line that is no good: the
// reader tells what was wrong with it, skips the rest of it and goes on. It never holds more than one line.
import type { LineFault } from "./line-reader.ts";

/** A line as text, or why it is none, with its first bytes. */
export type RawLine = { readonly text: string } | { readonly fault: LineFault; readonly raw: string };

const newline = 0x0a;
const carriageReturn = 0x0d;
const firstCapacity = 16 * 1024;

/** How much of a bad line is shown (W13). */
export const rawBytes = 4096;

/** Splits chunks into lines of at most `maxBytes` and hands each on as it completes; a byte order mark stays in it. */
export class RawLines {
  readonly #maxBytes: number;
  readonly #take: (line: RawLine) => void;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #partial = new Uint8Array(0);
  #length = 0;
  #skipping = false;

  constructor(maxBytes: number, take: (line: RawLine) => void) {
    this.#maxBytes = maxBytes;
    this.#take = take;
  }

  /** The start of a line that has no end yet. */
  get unfinished(): string {
    return rawText(this.#partial.subarray(0, this.#length));
  }

  /** Whether something came after the last whole line. */
  get hasUnfinished(): boolean {
    return this.#length > 0 || this.#skipping;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) break;
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #finish(tail: Uint8Array): void {
    const whole = this.#length > 0 && !this.#skipping;
    if (whole) this.#keep(tail);
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    const line = whole ? this.#partial.subarray(0, this.#length) : tail;
    this.#length = 0;
    this.#take(this.#read(line.at(-1) === carriageReturn ? line.subarray(0, -1) : line));
    if (this.#partial.length > firstCapacity * 16) this.#partial = new Uint8Array(0);
  }

  #read(line: Uint8Array): RawLine {
    if (line.length > this.#maxBytes) return { fault: "too_long", raw: rawText(line) };
    if (line.includes(0)) return { fault: "nul", raw: rawText(line) };
    try {
      return { text: this.#decoder.decode(line) };
    } catch {
      return { fault: "not_utf8", raw: rawText(line) };
    }
  }

  #keep(bytes: Uint8Array): void {
    if (this.#skipping) return;
    const length = this.#length + bytes.length;
    // One more than allowed, for a carriage return that does not count.
    if (length > this.#maxBytes + 1) {
      const start = this.#length >= rawBytes ? this.#partial.subarray(0, this.#length) : this.#joined(bytes);
      this.#take({ fault: "too_long", raw: rawText(start) });
      this.#partial = new Uint8Array(0);
      this.#length = 0;
      this.#skipping = true;
      return;
    }
    if (length > this.#partial.length) this.#grow(length);
    this.#partial.set(bytes, this.#length);
    this.#length = length;
  }

  #joined(bytes: Uint8Array): Uint8Array {
    const start = new Uint8Array(rawBytes);
    start.set(this.#partial.subarray(0, this.#length));
    const more = bytes.subarray(0, rawBytes - this.#length);
    start.set(more, this.#length);
    return start.subarray(0, this.#length + more.length);
  }

  #grow(needed: number): void {
    const capacity = Math.max(needed, firstCapacity, Math.min(this.#partial.length * 2, this.#maxBytes + 1));
    const larger = new Uint8Array(capacity);
    larger.set(this.#partial.subarray(0, this.#length));
    this.#partial = larger;
  }
}

/** The first bytes of a line, with what is no UTF-8 replaced; a character at the cut is left out. */
export function rawText(line: Uint8Array | string): string {
  const bytes = typeof line === "string" ? new TextEncoder().encode(line) : line;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, rawBytes), { stream: bytes.length > rawBytes });
}
