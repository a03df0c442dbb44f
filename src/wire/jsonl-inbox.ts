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
    const fault = this.#answer(line);
    if (fault === undefined) return;
    const raw = rawText("fault" in line ? line.raw : line.text);
    if (fault === "stray" || this.#awaited === undefined) {
      this.#strays++;
      this.#strayLine ??= raw;
    } else this.#awaited.reject(this.#badLine(fault.kind, fault.why, raw));
  }

  /** Gives the answer to whoever waits for it, or tells why the line is none. */
  #answer(line: RawLine): { readonly kind: BadLine; readonly why: string } | "stray" | undefined {
    if ("fault" in line) return { kind: "InvalidJson", why: faultWords[line.fault] };
    const read = readReply(line.text);
    if (read.kind === "InvalidJson") return read;
    const id = read.kind === "reply" ? read.reply.id : read.id;
    const awaited = this.#awaited;
    // Late or said twice: nobody waits for it, and whoever waits now asked for something else.
    if (id !== awaited?.id && this.#wasIssued(id)) return "stray";
    if (read.kind === "InvalidResponse") return read;
    if (awaited?.id !== id) return { kind: "InvalidResponse", why: "has an id that was never issued" };
    awaited?.resolve(read);
    return undefined;
  }

  #wasIssued(id: unknown): boolean {
    return typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= this.#lastId;
  }
}

const faultWords = {
  too_long: "is too long",
  not_utf8: "is not UTF-8",
  nul: "holds a NUL",
} as const;
