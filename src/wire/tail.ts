/** The last bytes of a stream, however much of it there is. */
export class Tail {
  readonly #ring: Uint8Array;
  #total = 0;

  constructor(capacity: number) {
    this.#ring = new Uint8Array(capacity);
  }

  /** How many bytes ever came. */
  get total(): number {
    return this.#total;
  }

  push(chunk: Uint8Array): void {
    const capacity = this.#ring.length;
    const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
    const at = (this.#total + chunk.length - kept.length) % capacity;
    const first = Math.min(kept.length, capacity - at);
    this.#ring.set(kept.subarray(0, first), at);
    this.#ring.set(kept.subarray(first), 0);
    this.#total += chunk.length;
  }

  /** What is kept, as text; a character that was cut at the front is left out. */
  text(): string {
    const capacity = this.#ring.length;
    if (this.#total <= capacity) return decode(this.#ring.subarray(0, this.#total));
    const at = this.#total % capacity;
    const bytes = new Uint8Array(capacity);
    bytes.set(this.#ring.subarray(at), 0);
    bytes.set(this.#ring.subarray(0, at), capacity - at);
    return decode(bytes.subarray(firstWholeCharacter(bytes)));
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

function firstWholeCharacter(bytes: Uint8Array): number {
  let at = 0;
  while (at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
