// One MCP connection: requests with time limits and cancellation on top, and one lasting answer once it is over.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Plumbing, Progress } from "../model/session.ts";
import type { Explanation, Phase } from "./causes.ts";
import { climbDown, endNow, type LadderWaits } from "./close-ladder.ts";
import { deathError, failure, shownTail } from "./failure.ts";
import type { Params, RpcFault } from "./frames.ts";
import { lastWords } from "./last-words.ts";
import { oneLine } from "./text.ts";
import { type PluginTransport, Reply } from "./transport.ts";

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Set for a part of the handshake: without an answer in time the plugin is ended. */
  readonly vital?: "initialize" | "list" | undefined;
}

export interface LinkParts {
  readonly plugin: string;
  readonly clock: Host["clock"];
  readonly plumbing: Plumbing;
  readonly transport: PluginTransport;
  readonly client: Client;
  readonly resultSchema: typeof ResultSchema;
  readonly waits: LadderWaits;
  readonly redact: (text: string) => string;
}

/** An error that the plugin gave as its answer. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcFault) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A timer cannot be set to more. */
const longestTimer = 2 ** 31 - 1;
/** The SDK's code for its own time limit; a plugin's codes never get this far, being boxed. */
const timeoutCode = -32001;
const timeoutsInARow = 3;

export class McpLink {
  /** Set after the handshake; until then the plugin is ended without being asked. */
  ready = false;
  /** Settles when the connection is over: with the reason, or with nothing after a requested close. */
  readonly over: Promise<GumError | undefined>;

  readonly #parts: LinkParts;
  readonly #settle: (error: GumError | undefined) => void;
  #failure: Promise<GumError> | undefined;
  #closing: Promise<void> | undefined;
  readonly #inFlight = new Set<{ readonly phase: Phase }>();
  #timeouts = 0;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    const { promise, resolve } = Promise.withResolvers<GumError | undefined>();
    this.over = promise;
    this.#settle = resolve;
    parts.transport.onclose = () => {
      if (parts.transport.fault !== undefined) this.#fail(() => this.#diagnose());
    };
  }

  get plugin(): string {
    return this.#parts.plugin;
  }

  get clock(): Host["clock"] {
    return this.#parts.clock;
  }

  /** Everything that is kept of stderr, as it may be shown. */
  get stderrTail(): string {
    return this.#parts.redact(this.#parts.transport.stderr.text());
  }

  /** The plugin's answer; throws RpcError for its errors, GumError for its failures, the signal's reason when aborted. */
  async request(method: string, params: Params, options: RequestOptions): Promise<unknown> {
    if (this.#failure !== undefined || this.#closing !== undefined) await this.#refuseWhenOver();
    options.signal?.throwIfAborted();
    const asked = { phase: options.vital ?? "call" } as const;
    const relay = options.signal === undefined ? undefined : relayAbort(options.signal);
    this.#inFlight.add(asked);
    try {
      return this.#unbox(await this.#send(method, params, relay?.signal, options));
    } catch (error) {
      if (error instanceof RpcError) throw error;
      if (options.signal?.aborted) throw options.signal.reason;
      await this.#refuseWhenOver();
      throw isTimeout(error) ? await this.#timedOut(method, options) : error;
    } finally {
      relay?.stop();
      this.#inFlight.delete(asked);
    }
  }

  async notify(method: string, params?: Params): Promise<void> {
    await this.#refuseWhenOver();
    await this.#parts.client.notification(
      params === undefined ? { method } : { method, params: { ...params } },
    );
  }

  /** Ends the plugin because it cannot be used, and gives the error that every later request gets. */
  fatal(explanation: Explanation): Promise<GumError> {
    return this.#fail(async () => {
      await this.#parts.transport.close();
      await endNow(this.#parts.clock, this.#parts.plumbing);
      return failure(this.plugin, explanation, { exit: null, stderrTail: this.stderrTail });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#failure !== undefined) {
      await this.#failure;
      return;
    }
    await this.#parts.transport.close();
    if (!this.ready) await endNow(this.#parts.clock, this.#parts.plumbing);
    else await climbDown(this.#parts.clock, this.#parts.plumbing, this.#parts.waits);
    this.#settle(undefined);
  }

  #send(method: string, params: Params, signal: AbortSignal | undefined, options: RequestOptions) {
    const { onProgress, timeoutMs } = options;
    const request = params === undefined ? { method } : { method, params: { ...params } };
    return this.#parts.client.request(request, this.#parts.resultSchema, {
      ...(signal === undefined ? {} : { signal }),
      timeout: Math.min(timeoutMs, longestTimer),
      ...(onProgress === undefined ? {} : { onprogress: (progress) => onProgress(shownProgress(progress)) }),
    });
  }

  #unbox(result: Record<string, unknown>): unknown {
    const reply = result.reply;
    if (!(reply instanceof Reply)) throw new Error("Cannot read an answer: the transport did not box it");
    const { outcome } = reply;
    if (outcome.kind === "refused") throw outcome.error;
    this.#timeouts = 0;
    if (outcome.kind === "error") throw new RpcError(outcome.error);
    return outcome.value;
  }

  async #refuseWhenOver(): Promise<void> {
    if (this.#failure !== undefined) throw await this.#failure;
    if (this.#closing === undefined) return;
    const what = "was closed before it had answered";
    const closed = { cause: "session_closed", what, hint: "call again" } as const;
    throw failure(this.plugin, closed, { exit: null, stderrTail: "" });
  }

  #fail(make: () => Promise<GumError>): Promise<GumError> {
    if (this.#failure === undefined) {
      this.#failure = make();
      this.#failure.then(this.#settle);
    }
    return this.#failure;
  }

  /** Gathers what tells why: the exit, if it was the plugin's own, and the last words on stderr. */
  async #diagnose(): Promise<GumError> {
    const { clock, plumbing, transport } = this.#parts;
    const [asked] = this.#inFlight;
    const phase = asked?.phase ?? "idle";
    const exit = transport.exit ?? null;
    plumbing.end();
    await lastWords(clock, plumbing.stderr);
    const error = deathError(this.plugin, {
      phase,
      exit,
      stderrTail: this.stderrTail,
      fault: transport.fault,
    });
    await endNow(clock, plumbing);
    return error;
  }

  async #timedOut(method: string, { timeoutMs, vital }: RequestOptions): Promise<GumError> {
    if (vital !== undefined) return this.#fail(() => this.#silent(vital, timeoutMs));
    this.#timeouts++;
    if (this.#timeouts >= timeoutsInARow) return this.#fail(async () => this.#tooSlow());
    const { transport } = this.#parts;
    return new GumError(
      "PLUGIN_TIMEOUT",
      `The plugin "${this.plugin}" did not answer ${method} within ${timeoutMs} ms.`,
      {
        details: {
          timeout_ms: timeoutMs,
          in_a_row: this.#timeouts,
          stderr_tail: shownTail(this.stderrTail),
          ...(transport.unfinished === "" ? {} : { unfinished_line: oneLine(transport.unfinished, 200) }),
          ...(transport.queued === 0 ? {} : { unread_bytes: transport.queued }),
          ...(transport.strays === 0 ? {} : { stray_answers: transport.strays }),
        },
        sourceErrorCode: null,
      },
    );
  }

  async #silent(phase: Phase, waitedMs: number): Promise<GumError> {
    const { clock, plumbing, transport } = this.#parts;
    const error = deathError(this.plugin, { phase, exit: null, stderrTail: this.stderrTail, waitedMs });
    await transport.close();
    await endNow(clock, plumbing);
    return error;
  }

  /** The plugin may be busy with something worth finishing, so it is asked to end, and nobody waits for it. */
  async #tooSlow(): Promise<GumError> {
    const { clock, plumbing, transport, waits } = this.#parts;
    await transport.close();
    void climbDown(clock, plumbing, waits);
    const explanation = {
      cause: "too_many_timeouts",
      what: `did not answer ${timeoutsInARow} calls in a row and is ended`,
      hint: "raise the timeout, or see the plugin's last lines in details.stderr_tail",
    } as const;
    return failure(this.plugin, explanation, { exit: null, stderrTail: this.stderrTail });
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === timeoutCode;
}

/** A signal for one request. The SDK never lets go of a signal, and a caller's may live as long as gum. */
function relayAbort(caller: AbortSignal): { readonly signal: AbortSignal; stop(): void } {
  const control = new AbortController();
  const onAbort = () => control.abort("The caller cancelled the request");
  caller.addEventListener("abort", onAbort, { once: true });
  return { signal: control.signal, stop: () => caller.removeEventListener("abort", onAbort) };
}

function shownProgress(progress: Progress): Progress {
  return progress.message === undefined ? progress : { ...progress, message: oneLine(progress.message, 500) };
}
