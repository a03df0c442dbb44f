// W13: which answer belongs to whom. Only the request that waits now can be answered, and only by its own id.
import type { GumError } from "../base/errors.ts";
import { type ReadReply, readReply } from "./jsonl-response.ts";
import { type RawLine, rawText } from "./raw-lines.ts";

export type Replied = Extract<ReadReply, { kind: "reply" }>;

export type BadLine = "InvalidJson" | "InvalidResponse";

interface Awaited {
  readonly id: number;
  resolve(reply: Replied): void;
  reject(error: unknown): void;
}

export class JsonlInbox {
  readonly #badLine: (kind: BadLine, why: string, raw: string) => GumError;
  #awaited: Awaited | undefined;
  #lastId = 0;
  #strays = 0;
  #strayLine: string | undefined;

  constructor(badLine: (kind: BadLine, why: string, raw: string) => GumError) {
    this.#badLine = badLine;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get isAwaiting(): boolean {
    return this.#awaited !== undefined;
  }

  /** Lines that nobody waited for. */
  get strays(): number {
    return this.#strays;
  }

  /** The first of them, cut. */
  get strayLine(): string | undefined {
    return this.#strayLine;
  }

  /** A new id, never used before in this process's life. */
  issue(): number {
    this.#lastId++;
    return this.#lastId;
  }

  /** Waits for the answer to the id that was issued last. */
  async wait(id: number, ask: (reject: (error: unknown) => void) => void): Promise<Replied> {
    const { promise, resolve, reject } = Promise.withResolvers<Replied>();
    this.#awaited = { id, resolve, reject };
    ask(reject);
    try {
      return await promise;
    } finally {
      this.#awaited = undefined;
    }
  }

  /** Fails whoever waits. */
  reject(error: unknown): void {
    this.#awaited?.reject(error);
  }

  take(line: RawLine): void {
    if ("fault" in line) return this.#refuse("InvalidJson", faultWords[line.fault], line.raw);
    const read = readReply(line.text);
    if (read.kind === "InvalidJson") return this.#refuse(read.kind, read.why, line.text);
    const id = read.kind === "reply" ? read.reply.id : read.id;
    const awaited = this.#awaited;
    // Late or said twice: nobody waits for it, and whoever waits now asked for something else.
    if (id !== awaited?.id && this.#wasIssued(id)) return this.#drop(line.text);
    if (read.kind === "InvalidResponse") return this.#refuse(read.kind, read.why, line.text);
    if (awaited === undefined || awaited.id !== id) {
      return this.#refuse("InvalidResponse", "has an id that was never issued", line.text);
    }
    awaited.resolve(read);
  }

  #wasIssued(id: unknown): boolean {
    return typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= this.#lastId;
  }

  #refuse(kind: BadLine, why: string, text: string): void {
    if (this.#awaited === undefined) this.#drop(text);
    else this.#awaited.reject(this.#badLine(kind, why, rawText(text)));
  }

  #drop(text: string): void {
    this.#strays++;
    this.#strayLine ??= rawText(text);
  }
}

const faultWords = {
  too_long: "is too long",
  not_utf8: "is not UTF-8",
  nul: "holds a NUL",
} as const;
