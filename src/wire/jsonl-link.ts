import { Buffer } from "node:buffer";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Plumbing } from "../model/session.ts";
import type { Evidence } from "./causes.ts";
import { climbDown, endedWithin, endNow } from "./close-ladder.ts";
import {
  badLine,
  closedSession,
  ignoredEnd,
  pluginCrashed,
  spawnFailed,
  timedOut,
  tooSlow,
} from "./jsonl-failure.ts";
import { JsonlInbox, type Replied } from "./jsonl-inbox.ts";
import { lastWords } from "./last-words.ts";
import { defaultLimits } from "./limits.ts";
import { LineLink, type LinkEnd } from "./line-link.ts";
import { Turns } from "./turns.ts";

export interface LinkOptions {
  readonly plugin: string;
  readonly callTimeoutMs: number;
  readonly maxLineBytes: number | undefined;
  readonly redact: (text: string) => string;
  readonly ending: AbortSignal | undefined;
}

export interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Running {
  readonly plumbing: Plumbing;
  readonly link: LineLink;
}

const timeoutsInARow = 3;
const longestTimer = 2 ** 31 - 1;
const terminateMs = 2000;

/** The process behind a jsonl session, and the one request that it works on. */
export class JsonlLink {
  /** Settles when the session is over: with the reason, or with nothing after a requested close. */
  readonly over: Promise<GumError | undefined>;
  readonly #clock: Host["clock"];
  readonly #launch: () => Promise<Plumbing>;
  readonly #options: LinkOptions;
  readonly #maxLineBytes: number;
  readonly #settle: (error: GumError | undefined) => void;
  readonly #turns = new Turns();
  readonly #inbox: JsonlInbox;
  #starting: Promise<Running> | undefined;
  #running: Running | undefined;
  #timeouts = 0;
  #closeWaitMs: number;
  #failure: Promise<GumError> | undefined;
  #closing: Promise<void> | undefined;

  constructor(clock: Host["clock"], launch: () => Promise<Plumbing>, options: LinkOptions) {
    this.#clock = clock;
    this.#launch = launch;
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? defaultLimits.maxLineBytes;
    this.#closeWaitMs = options.callTimeoutMs;
    this.#inbox = new JsonlInbox((kind, why, raw) =>
      badLine(options.plugin, kind, why, { raw, stderrTail: this.stderrTail }),
    );
    const { promise, resolve } = Promise.withResolvers<GumError | undefined>();
    this.over = promise;
    this.#settle = resolve;
  }

  get strays(): number {
    return this.#inbox.strays;
  }

  async start(): Promise<void> {
    await this.#run();
  }

  /** The plugin's answer to one request; the time limit begins when it is this request's turn. */
  async request(method: string, params: unknown, options: ExchangeOptions): Promise<Replied> {
    options.signal?.throwIfAborted();
    if (!this.#turns.take()) await this.#turns.wait(options.signal);
    try {
      const { link } = this.#running ?? (await this.#run());
      if (this.#failure !== undefined || this.#closing !== undefined) await this.#refuseWhenOver();
      const reply = await this.#exchange(link, method, params, options);
      this.#timeouts = 0;
      return reply;
    } finally {
      this.#turns.pass();
    }
  }

  /** Ends the process by closing its stdin, and throws unless it says nothing and ends well by itself (C14). */
  async probe(timeoutMs: number): Promise<void> {
    const running = await this.#run();
    await this.#refuseWhenOver();
    this.#closing = this.#judgeEnd(running, timeoutMs).finally(() => this.#settle(undefined));
    await this.#closing;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing.catch(() => undefined); // a probe's verdict was told to whoever asked for it
  }

  async #close(): Promise<void> {
    if (this.#failure !== undefined) {
      await this.#failure;
      return;
    }
    const running = await this.#starting?.catch(() => undefined); // nothing runs
    if (running !== undefined) {
      running.link.stop();
      this.#inbox.reject(closedSession(this.#options.plugin));
      const waits = { stdinMs: this.#closeWaitMs, terminateMs, hurry: this.#options.ending };
      await climbDown(this.#clock, running.plumbing, waits);
    }
    this.#settle(undefined);
  }

  #run(): Promise<Running> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<Running> {
    await this.#refuseWhenOver();
    let plumbing: Plumbing;
    try {
      plumbing = await this.#launch();
    } catch (error) {
      if (this.#options.ending?.aborted) throw error;
      throw await this.#fail(async () => spawnFailed(this.#options.plugin, error));
    }
    const limits = { maxLineBytes: this.#maxLineBytes, stderrBytes: defaultLimits.stderrBytes };
    const link = new LineLink(this.#clock, plumbing, limits, {
      line: (line) => this.#inbox.take(line),
      ended: (fault) => {
        if (this.#closing === undefined) void this.#fail(() => this.#diagnose(fault));
      },
    });
    this.#running = { plumbing, link };
    return this.#running;
  }

  async #exchange(
    link: LineLink,
    method: string,
    params: unknown,
    { timeoutMs, signal }: ExchangeOptions,
  ): Promise<Replied> {
    const id = this.#inbox.issue();
    const text = JSON.stringify({ method, params, id });
    this.#refuseLong(text, link.queued);
    this.#closeWaitMs = timeoutMs;
    const done = new AbortController();
    let stopWaiting: (() => void) | undefined;
    try {
      return await this.#inbox.wait(id, (reject) => {
        stopWaiting = () => reject(signal?.reason);
        signal?.addEventListener("abort", stopWaiting, { once: true });
        this.#clock.sleep(Math.min(timeoutMs, longestTimer), done.signal).then(
          () => this.#onTimeout(link, method, timeoutMs).then(reject),
          () => undefined, // answered in time
        );
        link.send(text);
      });
    } finally {
      done.abort();
      if (stopWaiting !== undefined) signal?.removeEventListener("abort", stopWaiting);
    }
  }

  #refuseLong(text: string, queued: number): void {
    const bytes = Buffer.byteLength(text);
    const limit = this.#maxLineBytes;
    if (bytes <= limit && queued + bytes <= defaultLimits.maxQueueBytes) return;
    const message = `The call takes ${bytes} bytes and at most ${limit} may be sent.`;
    throw new GumError("INVALID_ARGS", message, {
      hint: "pass less data, or a path or link to it",
      details: { bytes, max_bytes: limit, unread_bytes: queued },
    });
  }

  async #onTimeout(link: LineLink, method: string, timeoutMs: number): Promise<GumError> {
    this.#timeouts++;
    if (this.#timeouts >= timeoutsInARow) return this.#fail(async () => this.#endSlow());
    return timedOut({
      plugin: this.#options.plugin,
      method,
      timeoutMs,
      inARow: this.#timeouts,
      stderrTail: this.stderrTail,
      unfinished: link.unfinished,
      unreadBytes: link.queued,
    });
  }

  /** The plugin may be busy with something worth finishing, so it is asked to end, and nobody waits for it (T24). */
  #endSlow(): GumError {
    this.#running?.link.stop();
    if (this.#running !== undefined) void climbDown(this.#clock, this.#running.plumbing);
    return tooSlow(this.#options.plugin, timeoutsInARow, this.stderrTail);
  }

  async #diagnose(fault: LinkEnd): Promise<GumError> {
    const { link, plumbing } = await this.#run();
    const idle = this.#inbox.lastId === 0 ? "launch" : "idle";
    const phase = this.#inbox.isAwaiting ? "call" : idle;
    plumbing.end();
    await lastWords(this.#clock, plumbing.stderr);
    const evidence: Evidence = { phase, exit: link.exit ?? null, stderrTail: this.stderrTail, fault };
    await endNow(this.#clock, plumbing);
    return pluginCrashed(this.#options.plugin, evidence, link.unfinished);
  }

  async #judgeEnd({ link, plumbing }: Running, timeoutMs: number): Promise<void> {
    const { plugin, ending } = this.#options;
    plumbing.stdin.on("error", () => undefined); // it may have gone first
    plumbing.stdin.end();
    const gone = await endedWithin(this.#clock, plumbing, timeoutMs, ending);
    const exit = gone ? await plumbing.exited : null;
    if (gone) await Promise.all([plumbing.stdout, plumbing.stderr].map((one) => lastWords(this.#clock, one)));
    link.stop();
    await endNow(this.#clock, plumbing);
    ending?.throwIfAborted();
    const evidence: Evidence = { phase: "launch", exit, stderrTail: this.stderrTail };
    const line = this.#inbox.strayLine ?? link.unfinished;
    if (line !== "") throw pluginCrashed(plugin, { ...evidence, fault: { kind: "not_protocol", line } }, "");
    if (!gone) throw ignoredEnd(plugin, timeoutMs, evidence);
    if (exit?.code !== 0) throw pluginCrashed(plugin, evidence, "");
  }

  #fail(make: () => Promise<GumError>): Promise<GumError> {
    if (this.#failure === undefined) {
      this.#failure = make();
      this.#failure.then((error) => {
        this.#inbox.reject(error);
        this.#settle(error);
      });
    }
    return this.#failure;
  }

  async #refuseWhenOver(): Promise<void> {
    if (this.#failure !== undefined) throw await this.#failure;
    if (this.#closing !== undefined) throw closedSession(this.#options.plugin);
  }

  /** What is kept of stderr, as it may be shown. */
  get stderrTail(): string {
    return this.#options.redact(this.#running?.link.stderr.text() ?? "");
  }
}
