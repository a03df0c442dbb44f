// Cuts a byte stream into lines without ever holding more than one line of the allowed length.

export type LineFault = "too_long" | "not_utf8" | "nul";

export interface LineSink {
  line(text: string): void;
  /** Called once; the reader takes nothing more afterwards. `sample` is the start of the line at fault. */
  fault(fault: LineFault, sample: string): void;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const firstCapacity = 64 * 1024;
const sampleBytes = 512;

/** Splits chunks into UTF-8 lines of at most `maxBytes` and hands each to the sink as it completes. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #sink: LineSink;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  // One buffer that doubles: a list of chunks would cost an object per chunk of a peer that writes single bytes.
  #partial = new Uint8Array(0);
  #length = 0;
  #stopped = false;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** The start of a line that has no end yet. */
  get unfinished(): string {
    return sampleOf(this.#partial.subarray(0, this.#length));
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    while (!this.#stopped) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) break;
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (!this.#stopped && start < chunk.length) this.#keep(chunk.subarray(start));
  }

  stop(): void {
    this.#stopped = true;
    this.#release();
  }

  #finish(tail: Uint8Array): void {
    if (this.#length === 0) {
      this.#emit(tail);
      return;
    }
    this.#keep(tail);
    if (this.#stopped) return;
    const whole = this.#partial.subarray(0, this.#length);
    this.#length = 0;
    this.#emit(whole);
    if (this.#partial.length > firstCapacity * 16) this.#release();
  }

  #emit(bytes: Uint8Array): void {
    const line = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
    const text = this.#decode(line);
    if (typeof text === "string") this.#sink.line(text);
    else this.#fail(text.fault, line);
  }

  #decode(line: Uint8Array): string | { readonly fault: LineFault } {
    if (line.length > this.#maxBytes) return { fault: "too_long" };
    if (line.includes(0)) return { fault: "nul" };
    try {
      return this.#decoder.decode(line);
    } catch {
      return { fault: "not_utf8" };
    }
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    // One more than allowed, for a carriage return that does not count.
    if (length > this.#maxBytes + 1) {
      const start = this.#length > 0 ? this.#partial.subarray(0, this.#length) : bytes;
      this.#fail("too_long", start);
      return;
    }
    if (length > this.#partial.length) this.#grow(length);
    this.#partial.set(bytes, this.#length);
    this.#length = length;
  }

  #grow(needed: number): void {
    const capacity = Math.max(needed, firstCapacity, Math.min(this.#partial.length * 2, this.#maxBytes + 1));
    const larger = new Uint8Array(capacity);
    larger.set(this.#partial.subarray(0, this.#length));
    this.#partial = larger;
  }

  #fail(fault: LineFault, bytes: Uint8Array): void {
    const sample = sampleOf(bytes);
    this.stop();
    this.#sink.fault(fault, sample);
  }

  #release(): void {
    this.#partial = new Uint8Array(0);
    this.#length = 0;
  }
}

function sampleOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes.subarray(0, sampleBytes));
}
