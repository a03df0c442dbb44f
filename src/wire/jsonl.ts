// The jsonl wire (W11–W14): one process for all calls, started by the first of them, and one request at a time.
import type { Host } from "../host/host.ts";
import type { Answer, ListedTool, Plumbing, Session } from "../model/session.ts";
import { describeDeclared } from "./declared-tools.ts";
import type { Replied } from "./jsonl-inbox.ts";
import { type ExchangeOptions, JsonlLink } from "./jsonl-link.ts";
import type { JsonlError } from "./jsonl-response.ts";
import { defaultTimeouts } from "./timeouts.ts";
import { valueAnswer } from "./value-answer.ts";

export interface JsonlOptions {
  /** Names the plugin in errors. */
  readonly plugin: string;
  /** What the plugin is said to offer; the protocol has no list. */
  readonly tools?: readonly ListedTool[] | undefined;
  /** How long a close waits for the process before any call has said how long it may take. */
  readonly callTimeoutMs?: number | undefined;
  readonly maxLineBytes?: number | undefined;
  /** Takes secrets out of stderr before it is shown. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Aborted when gum itself is ending. */
  readonly ending?: AbortSignal | undefined;
}

export interface JsonlSession extends Session {
  /** Starts the process now; without it the first request does. */
  start(): Promise<void>;
  /** The plugin's own answer as it is, an error included; host failures are thrown. */
  exchange(method: string, params: unknown, options: ExchangeOptions): Promise<Replied>;
  /** Lines that came when nobody waited for one: late answers, and what is no answer at all. */
  readonly strays: number;
  probe(timeoutMs: number): Promise<void>;
}

/** A session with a program that `launch` will start when it is first needed. */
export function createJsonl(
  host: Pick<Host, "clock">,
  launch: () => Promise<Plumbing>,
  options: JsonlOptions,
): JsonlSession {
  const link = new JsonlLink(host.clock, launch, {
    plugin: options.plugin,
    callTimeoutMs: options.callTimeoutMs ?? defaultTimeouts.callMs,
    maxLineBytes: options.maxLineBytes,
    redact: options.redact ?? ((text) => text),
    ending: options.ending,
  });
  const description = describeDeclared(options.tools ?? []);
  return {
    over: link.over,
    start: () => link.start(),
    describe: async () => description,
    exchange: (method, params, limits) => link.request(method, params, limits),
    async call(tool, args, limits) {
      const { reply, written } = await link.request(tool, args, limits);
      if ("error" in reply) return applicationError(reply.error);
      return valueAnswer({ value: reply.result, text: written ?? "null" });
    },
    get strays() {
      return link.strays;
    },
    probe: (timeoutMs) => link.probe(timeoutMs),
    stderrTail: () => link.stderrTail,
    close: () => link.close(),
  };
}

const methodNotFound = -32_601;
const invalidParams = -32_602;

/** The plugin refused by itself: an answer, and no failure of the host. */
function applicationError({ code, message }: JsonlError): Answer {
  const refused = code === invalidParams ? "INVALID_ARGS" : "SERVICE_DOWN";
  const stable = code === methodNotFound ? "OP_NOT_FOUND" : refused;
  return { ok: false, error: { code: String(code), message, retryable: false, stable } };
}
