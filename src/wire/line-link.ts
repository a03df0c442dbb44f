// A started plugin as lines: what both line protocols share. It tells each line as it comes and, once, that nothing more
// will; it judges no content.
import { Buffer } from "node:buffer";
import type { Host } from "../host/host.ts";
import type { ExitStatus, Plumbing } from "../model/session.ts";
import type { Fault } from "./fault.ts";
import { readPaced, wasteCost } from "./paced.ts";
import { type RawLine, RawLines } from "./raw-lines.ts";
import { Tail } from "./tail.ts";

export interface LinkLimits {
  readonly maxLineBytes: number;
  readonly stderrBytes: number;
}

export interface LineListener {
  line(line: RawLine): void;
  /** The process, its stdout or its stdin has ended without being asked to. Called once at most. */
  ended(fault: LinkEnd): void;
}

export type LinkEnd = Extract<Fault, { kind: "exited" | "stdout_closed" | "stopped_reading" }>;

/** Time for the exit to be known after stdout has closed, and for stdout to be drained after the exit. */
const settleMs = 500;

export class LineLink {
  readonly stderr: Tail;
  readonly #clock: Host["clock"];
  readonly #plumbing: Plumbing;
  readonly #listener: LineListener;
  readonly #lines: RawLines;
  readonly #stop = new AbortController();
  #stdoutEnded = false;
  #exit: ExitStatus | undefined;
  #queued = 0;

  constructor(clock: Host["clock"], plumbing: Plumbing, limits: LinkLimits, listener: LineListener) {
    this.#clock = clock;
    this.#plumbing = plumbing;
    this.#listener = listener;
    this.stderr = new Tail(limits.stderrBytes);
    this.#lines = new RawLines(limits.maxLineBytes, (line) => {
      if (!this.#stop.signal.aborted) listener.line(line);
    });
    this.#listen();
  }

  /** How the process ended, once it has. */
  get exit(): ExitStatus | undefined {
    return this.#exit;
  }

  /** The start of a line that the plugin has not ended. */
  get unfinished(): string {
    return this.#lines.unfinished;
  }

  get hasUnfinished(): boolean {
    return this.#lines.hasUnfinished;
  }

  /** Bytes that the plugin has not taken yet. */
  get queued(): number {
    return this.#queued;
  }

  /** Writes one line; its newline is added here. */
  send(text: string): void {
    const line = `${text}\n`;
    const size = Buffer.byteLength(line);
    this.#queued += size;
    this.#plumbing.stdin.write(line, () => {
      this.#queued -= size;
    });
  }

  /** Tells nothing any more; stdout is still drained so that the plugin can end. */
  stop(): void {
    this.#stop.abort();
  }

  #listen(): void {
    const { stdin, stdout, stderr, exited } = this.#plumbing;
    readPaced(this.#clock, stderr, (chunk) => {
      this.stderr.push(chunk);
      return wasteCost(chunk.length);
    });
    stderr.on("error", () => undefined); // stderr is only ever evidence
    readPaced(this.#clock, stdout, (chunk) => {
      if (this.#stop.signal.aborted) return wasteCost(chunk.length);
      this.#lines.push(chunk);
      return 0;
    });
    stdout.once("end", () => this.#onStdoutEnd());
    stdout.once("close", () => this.#onStdoutEnd());
    stdout.on("error", () => this.#onStdoutEnd());
    stdin.on("error", () => this.#endSoon({ kind: "stopped_reading" }));
    exited.then((exit) => {
      this.#exit = exit;
      // A descendant may hold stdout open for ever; what the plugin itself wrote is read within the time.
      if (this.#stdoutEnded) this.#end({ kind: "exited" });
      else this.#endSoon({ kind: "exited" });
    });
  }

  #onStdoutEnd(): void {
    if (this.#stdoutEnded) return;
    this.#stdoutEnded = true;
    if (this.#exit !== undefined) this.#end({ kind: "exited" });
    else this.#endSoon({ kind: "stdout_closed" });
  }

  /** The exit tells more than a closed pipe, and mostly follows at once. */
  #endSoon(fault: LinkEnd): void {
    if (this.#stop.signal.aborted) return;
    this.#clock.sleep(settleMs, this.#stop.signal).then(
      () => this.#end(this.#exit === undefined ? fault : { kind: "exited" }),
      () => undefined, // ended in the meantime
    );
  }

  #end(fault: LinkEnd): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#listener.ended(fault);
  }
}
