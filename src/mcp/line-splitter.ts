import { Buffer } from "node:buffer";

/** Cuts a stream of bytes into lines; one that is too long is passed over and told once. Memory stays bounded. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #skipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that are whole now, without their ends. */
  add(block: Uint8Array): (string | "too-long")[] {
    const lines: (string | "too-long")[] = [];
    let start = 0;
    for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
      this.#keep(block.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#keep(block.subarray(start));
    return lines;
  }

  #keep(part: Uint8Array): void {
    if (this.#skipping || part.length === 0) return;
    if (this.#size + part.length > this.#maxBytes) {
      this.#skipping = true;
      this.#parts = [];
      this.#size = 0;
      return;
    }
    // A block of a stream may be written over once it was read.
    this.#parts.push(part.slice());
    this.#size += part.length;
  }

  #take(): string | "too-long" {
    const line = this.#skipping ? "too-long" : Buffer.concat(this.#parts, this.#size).toString("utf8");
    this.#parts = [];
    this.#size = 0;
    this.#skipping = false;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }
}
