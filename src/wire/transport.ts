// The SDK's transport over a started plugin. It keeps the SDK away from whatever the plugin may send:
// - lines are bounded and checked before they are parsed; the first one that is not protocol ends the connection;
// - every answer goes to the SDK boxed as a Reply, so that the SDK's own schemas cannot refuse or copy it, and a
//   plugin's error code is never confused with an error of the SDK;
// - answers to ids that nobody waits for (late, doubled, invented) are counted and dropped;
// - what waits to be written, and what the plugin may ask of gum at once, is bounded.
import { Buffer } from "node:buffer";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { ExitStatus, Plumbing } from "../model/session.ts";
import type { Fault } from "./fault.ts";
import { type Frame, type RpcFault, readFrames, withParams } from "./frames.ts";
import { defaultLimits, type TransportLimits } from "./limits.ts";
import { LineReader } from "./line-reader.ts";
import { readPaced, wasteCost } from "./paced.ts";
import { Tail } from "./tail.ts";

/** What came back for one request. */
export class Reply {
  readonly outcome:
    | { readonly kind: "result"; readonly value: unknown }
    | { readonly kind: "error"; readonly error: RpcFault }
    | { readonly kind: "refused"; readonly error: GumError };

  constructor(outcome: Reply["outcome"]) {
    this.outcome = outcome;
  }
}

/** Time for the exit to be known after stdout has closed, and for stdout to be drained after the exit. */
const settleMs = 500;

export class PluginTransport implements Transport {
  // A defined session id makes the SDK's client connect without its own initialize, whose schema is not lenient.
  readonly sessionId = "stdio";
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly stderr: Tail;
  readonly #plumbing: Plumbing;
  readonly #clock: Host["clock"];
  readonly #limits: TransportLimits;
  readonly #reader: LineReader;
  readonly #stop = new AbortController();
  readonly #awaited = new Set<unknown>();
  readonly #inbound = new Set<string | number>();
  #outgoing: string[] = [];
  #queued = 0;
  #strays = 0;
  #stdoutEnded = false;
  #exit: ExitStatus | undefined;
  #fault: Fault | undefined;

  constructor(clock: Host["clock"], plumbing: Plumbing, limits: TransportLimits = defaultLimits) {
    this.#clock = clock;
    this.#plumbing = plumbing;
    this.#limits = limits;
    this.stderr = new Tail(limits.stderrBytes);
    this.#reader = new LineReader(limits.maxLineBytes, {
      line: (text) => this.#onLine(text),
      fault: (reason, sample) => this.#failInTurn({ kind: "malformed", reason, sample }),
    });
    readPaced(clock, plumbing.stderr, (chunk) => {
      this.stderr.push(chunk);
      return wasteCost(chunk.length);
    });
    plumbing.stderr.on("error", () => undefined); // stderr is only ever evidence
  }

  /** Set once the connection has ended by itself. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** How the process ended, once it has. */
  get exit(): ExitStatus | undefined {
    return this.#exit;
  }

  /** Bytes that the plugin has not taken yet. */
  get queued(): number {
    return this.#queued;
  }

  /** Answers that nobody waited for. */
  get strays(): number {
    return this.#strays;
  }

  /** The start of a line that the plugin has not ended. */
  get unfinished(): string {
    return this.#reader.unfinished;
  }

  async start(): Promise<void> {
    const { stdin, stdout, exited } = this.#plumbing;
    readPaced(this.#clock, stdout, (chunk) => this.#onChunk(chunk));
    stdout.once("end", () => this.#onStdoutEnd());
    stdout.once("close", () => this.#onStdoutEnd());
    stdout.on("error", () => this.#onStdoutEnd());
    stdin.on("error", () => this.#failSoon({ kind: "stopped_reading" }));
    exited.then((exit) => {
      this.#exit = exit;
      // A descendant may hold stdout open for ever; what the plugin itself wrote is read within the time.
      if (this.#stdoutEnded) this.#fail({ kind: "exited" });
      else this.#failSoon({ kind: "exited" });
    });
  }

  /** Queues one message; a plugin that leaves too much unread loses the connection. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const text = `${JSON.stringify(message)}\n`;
    const size = Buffer.byteLength(text);
    if (size > this.#limits.maxLineBytes) return this.#refuse(message, size);
    if (this.#queued > 0 && this.#queued + size > this.#limits.maxQueueBytes) {
      return this.#fail({ kind: "stopped_reading" });
    }
    this.#track(message);
    this.#queued += size;
    this.#outgoing.push(text);
    // Messages of one turn go out in one write: many calls at once would otherwise be as many system calls.
    if (this.#outgoing.length === 1) queueMicrotask(() => this.#flush());
  }

  /** Stops listening without a fault; stdout is still drained so that the plugin can end. */
  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#reader.stop();
    this.onclose?.();
  }

  #flush(): void {
    const text = this.#outgoing.join("");
    this.#outgoing = [];
    const size = Buffer.byteLength(text);
    this.#plumbing.stdin.write(text, () => {
      this.#queued -= size;
    });
  }

  #onChunk(chunk: Uint8Array): number {
    if (this.#stop.signal.aborted) return wasteCost(chunk.length);
    this.#reader.push(chunk);
    return 0;
  }

  #onLine(text: string): void {
    if (text.trim() === "") return;
    const frames = readFrames(text);
    if (!("fault" in frames)) {
      for (const frame of frames) this.#onFrame(frame);
    } else if (frames.fault === "too_deep") {
      this.#failInTurn({ kind: "malformed", reason: "too_deep", sample: text.slice(0, 512) });
    } else {
      this.#failInTurn({ kind: "not_protocol", line: text.slice(0, 4096) });
    }
  }

  #onFrame(frame: Frame): void {
    if (this.#stop.signal.aborted) return;
    if (frame.kind === "request") this.#onRequest(frame);
    else if (frame.kind === "notification") this.#onNotification(frame);
    else this.#onReply(frame.id, new Reply(frame));
  }

  #onNotification(frame: Extract<Frame, { kind: "notification" }>): void {
    if (frame.method === "notifications/cancelled") this.#forget(frame.params?.requestId);
    this.#deliver({ jsonrpc: "2.0", method: frame.method, ...withParams(frame.params) });
  }

  #onReply(id: unknown, reply: Reply): void {
    if (typeof id !== "number" || !this.#awaited.delete(id)) {
      this.#strays++;
      return;
    }
    // The SDK handles notifications a turn later; without waiting it would lose progress that came just before.
    queueMicrotask(() => this.#deliver({ jsonrpc: "2.0", id, result: { reply } }));
  }

  #onRequest(frame: Extract<Frame, { kind: "request" }>): void {
    if (this.#inbound.size >= this.#limits.maxInbound) {
      const error = { code: -32000, message: "Too many requests at once" };
      void this.send({ jsonrpc: "2.0", id: frame.id, error });
      return;
    }
    this.#inbound.add(frame.id);
    this.#deliver({ jsonrpc: "2.0", id: frame.id, method: frame.method, ...withParams(frame.params) });
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.#stop.signal.aborted) this.onmessage?.(message);
  }

  #track(message: JSONRPCMessage): void {
    if ("method" in message) {
      if ("id" in message) this.#awaited.add(message.id);
      else if (message.method === "notifications/cancelled") this.#awaited.delete(message.params?.requestId);
    } else this.#forget(message.id);
  }

  #forget(inboundId: unknown): void {
    if (typeof inboundId === "string" || typeof inboundId === "number") this.#inbound.delete(inboundId);
  }

  /** Answers a message that is too long to be sent, so that nobody waits for it. */
  #refuse(message: JSONRPCMessage, size: number): Promise<void> {
    const limit = this.#limits.maxLineBytes;
    if ("method" in message) {
      if (!("id" in message)) return Promise.resolve();
      const error = new GumError(
        "INVALID_ARGS",
        `The call takes ${size} bytes and at most ${limit} may be sent.`,
        {
          hint: "pass less data, or a path or link to it",
          details: { bytes: size, max_bytes: limit },
        },
      );
      this.#deliver({
        jsonrpc: "2.0",
        id: message.id,
        result: { reply: new Reply({ kind: "refused", error }) },
      });
      return Promise.resolve();
    }
    if (message.id === undefined) return Promise.resolve();
    const error = { code: -32603, message: "The answer is too long to be sent" };
    return this.send({ jsonrpc: "2.0", id: message.id, error });
  }

  #onStdoutEnd(): void {
    if (this.#stdoutEnded) return;
    this.#stdoutEnded = true;
    if (this.#exit !== undefined) this.#fail({ kind: "exited" });
    else this.#failSoon({ kind: "stdout_closed" });
  }

  /** The exit tells more than a closed pipe, and mostly follows at once. */
  #failSoon(fault: Fault): void {
    if (this.#stop.signal.aborted) return;
    this.#clock.sleep(settleMs, this.#stop.signal).then(
      () => this.#fail(this.#exit === undefined ? fault : { kind: "exited" }),
      () => undefined, // ended in the meantime
    );
  }

  /** Reads nothing more, and fails after the answers that came before. */
  #failInTurn(fault: Fault): void {
    this.#reader.stop();
    queueMicrotask(() => this.#fail(fault));
  }

  #fail(fault: Fault): void {
    if (this.#stop.signal.aborted) return;
    this.#fault = fault;
    void this.close();
  }
}
