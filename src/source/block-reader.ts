import { unsafeArchive } from "./entry-path.ts";

/** Takes exact numbers of bytes out of a stream of blocks. */
export class BlockReader {
  readonly #blocks: AsyncIterator<Uint8Array>;
  #rest = new Uint8Array();

  constructor(blocks: AsyncIterable<Uint8Array>) {
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** Exactly this many bytes; undefined at the very end of the stream. */
  async take(length: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(length);
    let done = 0;
    for await (const block of this.parts(length, "may end")) {
      bytes.set(block, done);
      done += block.length;
    }
    if (done === 0 && length > 0) return undefined;
    if (done < length) throw unsafeArchive("is cut off");
    return bytes;
  }

  /** This many bytes, in whatever parts they come. */
  async *parts(length: number, end: "must not end" | "may end" = "must not end"): AsyncIterable<Uint8Array> {
    let left = length;
    while (left > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#blocks.next();
        if (next.done) {
          if (end === "may end") return;
          throw unsafeArchive("is cut off");
        }
        this.#rest = new Uint8Array(next.value);
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  /** Reads on to the end, which proves what stands there. */
  async *remainder(): AsyncIterable<Uint8Array> {
    if (this.#rest.length > 0) yield this.#rest;
    this.#rest = new Uint8Array();
    for (;;) {
      const next = await this.#blocks.next();
      if (next.done) return;
      yield next.value;
    }
  }

  /** Lets the stream go. */
  async close(): Promise<void> {
    await this.#blocks.return?.();
  }
}
