import { Buffer } from "node:buffer";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Plumbing } from "../model/session.ts";
import { climbDown, endedWithin, endNow } from "./close-ladder.ts";
import { crashed, type Refusal, refusalError, sessionOver, tooLate } from "./handshake-failure.ts";
import { brokenLine, extraLine } from "./handshake-lines.ts";
import { lastWords } from "./last-words.ts";
import { defaultLimits } from "./limits.ts";
import { LineLink, type LinkEnd } from "./line-link.ts";
import { type RawLine, rawText } from "./raw-lines.ts";

/** W16: the longest line of this protocol, in either direction. */
export const maxSideLine = 1024 * 1024;

export interface SideOptions {
  readonly plugin: string;
  readonly teardownMs: number;
  readonly redact: (text: string) => string;
}

export interface LineLimits {
  readonly timeoutMs: number;
  /** The limit as it is told, when the time began earlier. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OneLine {
  readonly line: RawLine;
  readonly raw: string;
}

type Phase = "handshake" | "call";

type Heard = { readonly line: RawLine } | { readonly end: LinkEnd };

/** A process that answers each line with exactly one, twice at most. Whatever goes wrong ends it. */
export class SideProcess {
  /** Settles when the process is over: with the reason when it failed. */
  readonly over: Promise<GumError | undefined>;
  readonly #clock: Host["clock"];
  readonly #plumbing: Plumbing;
  readonly #options: SideOptions;
  readonly #link: LineLink;
  readonly #settle: (error: GumError | undefined) => void;
  readonly #startedAt: number;
  readonly #heard: Heard[] = [];
  #wake: (() => void) | undefined;
  #used = false;
  /** Its stdin was closed, and it has had its time. */
  #stayed = false;
  #closing: Promise<void> | undefined;

  constructor(clock: Host["clock"], plumbing: Plumbing, options: SideOptions) {
    this.#clock = clock;
    this.#plumbing = plumbing;
    this.#options = options;
    this.#startedAt = clock.monotonic();
    const hear = (heard: Heard): void => {
      // One line too many is enough to know.
      if (this.#heard.length < 2) this.#heard.push(heard);
      this.#wake?.();
    };
    this.#link = new LineLink(
      clock,
      plumbing,
      { maxLineBytes: maxSideLine, stderrBytes: defaultLimits.stderrBytes },
      { line: (line) => hear({ line }), ended: (end) => hear({ end }) },
    );
    const { promise, resolve } = Promise.withResolvers<GumError | undefined>();
    this.over = promise;
    this.#settle = resolve;
  }

  /** How long it has run. */
  get ageMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  /** Takes the one call that the process is for. */
  begin(): void {
    if (this.#used || this.#closing !== undefined) throw sessionOver(this.#options.plugin);
    this.#used = true;
  }

  /** Sends a line and waits for the answer; nothing may have come unasked before it. */
  async exchange(phase: Phase, text: string, limits: LineLimits): Promise<OneLine> {
    if (this.#closing !== undefined) throw sessionOver(this.#options.plugin);
    if (phase === "call") await this.#refuseUnasked();
    this.#refuseLong(text);
    this.#link.send(text);
    const heard = await this.#next(phase, limits);
    if ("end" in heard) throw await this.#died(phase, heard.end);
    return { line: heard.line, raw: "fault" in heard.line ? heard.line.raw : rawText(heard.line.text) };
  }

  /** Closes stdin and waits for the exit; more output than the answer is a fault of it. */
  async finish(phase: Phase): Promise<void> {
    const { teardownMs } = this.#options;
    this.#plumbing.stdin.on("error", () => undefined); // it may have gone first
    this.#plumbing.stdin.end();
    const gone = await endedWithin(this.#clock, this.#plumbing, teardownMs);
    this.#stayed = !gone;
    if (gone) await lastWords(this.#clock, this.#plumbing.stdout);
    const extra = this.#extra();
    if (extra !== undefined) throw await this.refuse(extraLine[phase], extra);
    await this.close();
  }

  /** Ends the process because of what it said. */
  async refuse(refusal: Refusal, raw?: string): Promise<GumError> {
    return this.#over(refusalError(refusal, { ...(await this.ended()), raw }));
  }

  /** Ends the process at once; what it had to say is kept. */
  async ended(): Promise<{ readonly plugin: string; readonly stderrTail: string }> {
    this.#link.stop();
    this.#plumbing.end();
    await lastWords(this.#clock, this.#plumbing.stderr);
    await endNow(this.#clock, this.#plumbing);
    return { plugin: this.#options.plugin, stderrTail: this.stderrTail };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#link.stop();
    this.#wake?.();
    const { teardownMs } = this.#options;
    const stdinMs = this.#stayed ? 0 : teardownMs;
    await climbDown(this.#clock, this.#plumbing, { stdinMs, terminateMs: teardownMs });
    this.#settle(undefined);
  }

  async #refuseUnasked(): Promise<void> {
    const [first] = this.#heard;
    if (first !== undefined && "end" in first) throw await this.#died("call", first.end);
    const extra = this.#extra();
    if (extra !== undefined) throw await this.refuse(extraLine.handshake, extra);
  }

  /** What came after the answer, complete or not. */
  #extra(): string | undefined {
    const [first] = this.#heard;
    if (first !== undefined && "line" in first) {
      return "fault" in first.line ? first.line.raw : rawText(first.line.text);
    }
    return this.#link.hasUnfinished ? this.#link.unfinished : undefined;
  }

  #refuseLong(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (bytes <= maxSideLine) return;
    const message = `The call takes ${bytes} bytes and at most ${maxSideLine} may be sent.`;
    throw new GumError("INVALID_ARGS", message, {
      hint: "pass less data, or a path or link to it",
      details: { bytes, max_bytes: maxSideLine },
    });
  }

  async #next(phase: Phase, { timeoutMs, limitMs, signal }: LineLimits): Promise<Heard> {
    const done = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const stop = signal === undefined ? done.signal : AbortSignal.any([done.signal, signal]);
    try {
      if (this.#heard.length === 0) await Promise.race([woken, this.#clock.sleep(timeoutMs, stop)]);
    } catch (error) {
      if (signal?.aborted) await this.ended();
      this.#settle(undefined);
      throw error;
    } finally {
      this.#wake = undefined;
      done.abort();
    }
    const heard = this.#heard.shift();
    if (heard !== undefined) return heard;
    if (this.#closing !== undefined) throw sessionOver(this.#options.plugin);
    const unfinished = this.#link.unfinished;
    const { stderrTail } = await this.ended();
    throw this.#over(tooLate(this.#options.plugin, { phase, timeoutMs: limitMs, stderrTail, unfinished }));
  }

  async #died(phase: Phase, fault: LinkEnd): Promise<GumError> {
    if (this.#link.hasUnfinished) return this.refuse(brokenLine[phase], this.#link.unfinished);
    const exit = this.#link.exit ?? null;
    const { stderrTail } = await this.ended();
    return this.#over(crashed(this.#options.plugin, { phase, exit, stderrTail, fault }));
  }

  /** The process is over, and this is why. */
  #over(error: GumError): GumError {
    this.#closing ??= Promise.resolve();
    this.#settle(error);
    return error;
  }

  /** What is kept of stderr, as it may be shown. */
  get stderrTail(): string {
    return this.#options.redact(this.#link.stderr.text());
  }
}
