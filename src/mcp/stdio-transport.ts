// MCP over two streams, one message per line. Whatever comes in, the server goes on: a line that is no message is
// answered with an error. What goes out waits for the reader: while it does not read, nothing more is taken in.
import type { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { untilQuiet } from "../base/quiet.ts";
import { LineSplitter } from "./line-splitter.ts";

const parseError = -32700;
const invalidRequest = -32600;

/** How many lines one write may hold. */
const mostTogether = 256;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  /** Settles when the client has closed its end, or has gone. */
  readonly ended: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: LineSplitter;
  readonly #end: () => void;
  #outgoing: string[] = [];
  #flushing: Promise<void> | undefined;
  #unsent = 0;
  #closed = false;

  constructor(input: Readable, output: Writable, maxLineBytes: number) {
    this.#input = input;
    this.#output = output;
    this.#lines = new LineSplitter(maxLineBytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData);
    this.#input.once("end", this.#end);
    this.#input.once("close", this.#end);
    this.#input.once("error", this.#end);
    this.#output.once("error", this.#end); // nobody reads any more
    this.#output.once("close", this.#end);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    void this.#flush();
    this.#closed = true;
    this.#input.off("data", this.#onData);
    this.#input.pause();
    this.#end();
    this.onclose?.();
  }

  /** Waits until everything was handed to the reader, or until there is none. */
  async flushed(): Promise<void> {
    void this.#flush();
    if (this.#output.writableLength === 0 || this.#output.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#output.once("close", resolve);
      this.#output.once("error", () => resolve());
      this.#output.write("", () => resolve());
    });
  }

  readonly #onData = (block: Buffer): void => {
    for (const line of this.#lines.add(block)) {
      if (line === "too-long") this.#refuse(null, invalidRequest, "The message is too long");
      else if (line.trim() !== "") this.#onLine(line);
    }
  };

  #onLine(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(null, parseError, "Parse error");
      return;
    }
    const batch = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const one of batch) this.#onValue(one);
  }

  #onValue(value: unknown): void {
    const read = JSONRPCMessageSchema.safeParse(value);
    if (read.success) this.onmessage?.(read.data);
    else this.#refuse(idOf(value), invalidRequest, "Invalid Request");
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    void this.#write(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
  }

  #write(line: string): Promise<void> {
    if (this.#closed || this.#output.destroyed) return Promise.resolve();
    this.#outgoing.push(line);
    this.#flushing ??= this.#flushSoon();
    return this.#flushing;
  }

  /** Answers that become ready together go out in one write: many calls at once would else be as many system calls. */
  async #flushSoon(): Promise<void> {
    await untilQuiet(() => this.#outgoing.length, mostTogether);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const lines = this.#outgoing;
    this.#outgoing = [];
    this.#flushing = undefined;
    if (lines.length === 0 || this.#output.destroyed || this.#output.write(`${lines.join("\n")}\n`)) return;
    this.#unsent++;
    this.#input.pause();
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.#output.off("drain", go);
        this.#output.off("close", go);
        resolve();
      };
      this.#output.once("drain", go);
      this.#output.once("close", go);
    });
    if (--this.#unsent === 0 && !this.#closed) this.#input.resume();
  }
}

/** A message that asked for an answer gets it under its own id. */
function idOf(value: unknown): string | number | null {
  const id: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "id") : null;
  return typeof id === "string" || (typeof id === "number" && Number.isInteger(id)) ? id : null;
}
