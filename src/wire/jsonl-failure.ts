// W13: the failures of the newline-JSON host, by name. As stable codes: PLUGIN_TIMEOUT for a timeout, SERVICE_DOWN for
// the rest. `details.cause` is there exactly when the session is over.
import { GumError } from "../base/errors.ts";
import { type Evidence, type Explanation, explain } from "./causes.ts";
import { failure, launchError, shownTail } from "./failure.ts";
import { oneLine } from "./text.ts";

export const jsonlFailures = [
  "SpawnFailed",
  "PluginCrashed",
  "Timeout",
  "InvalidJson",
  "InvalidResponse",
] as const;
export type JsonlFailure = (typeof jsonlFailures)[number];

/** What JSON-RPC calls a line that cannot be read, and one that is no response. */
export const rpcCodes = { InvalidJson: -32_700, InvalidResponse: -32_600 } as const;

/** The process never was. A refusal of the sandbox keeps its own code. */
export function spawnFailed(plugin: string, reason: unknown): GumError {
  const error = reason instanceof GumError ? reason : launchError(plugin, reason);
  return named(error, "SpawnFailed");
}

/** The process or its stdout ended before an answer; every later call says the same. */
export function pluginCrashed(plugin: string, evidence: Evidence, unfinished: string): GumError {
  const error = failure(plugin, explain(evidence), evidence);
  return named(error, "PluginCrashed", unfinished === "" ? {} : { unfinished_line: unfinished });
}

/** The same error under the name that this protocol gives it. */
export function named(error: GumError, failureCode: JsonlFailure, more: object = {}): GumError {
  const { info, code, message } = error;
  return new GumError(code, message, { ...info, failureCode, details: { ...info.details, ...more } });
}

export interface LateCall {
  readonly plugin: string;
  readonly method: string;
  readonly timeoutMs: number;
  readonly inARow: number;
  readonly stderrTail: string;
  readonly unfinished: string;
  readonly unreadBytes: number;
}

/** No answer in time; the process is left running. */
export function timedOut(late: LateCall): GumError {
  const { plugin, method, timeoutMs, unfinished, unreadBytes } = late;
  const message = `The plugin "${plugin}" did not answer ${oneLine(method, 200)} within ${timeoutMs} ms.`;
  return new GumError("PLUGIN_TIMEOUT", message, {
    failureCode: "Timeout",
    sourceErrorCode: null,
    details: {
      timeout_ms: timeoutMs,
      in_a_row: late.inARow,
      stderr_tail: shownTail(late.stderrTail),
      ...(unfinished === "" ? {} : { unfinished_line: unfinished }),
      ...(unreadBytes === 0 ? {} : { unread_bytes: unreadBytes }),
    },
  });
}

/** A line that is no response; the process is left running. */
export function badLine(
  plugin: string,
  kind: keyof typeof rpcCodes,
  why: string,
  line: { readonly raw: string; readonly stderrTail: string },
): GumError {
  const shown = JSON.stringify(oneLine(line.raw, 200));
  return new GumError("SERVICE_DOWN", `The plugin "${plugin}" answered with a line that ${why}: ${shown}.`, {
    hint: "write one JSON object per line to stdout, with the id of the request, and logs to stderr",
    failureCode: kind,
    sourceErrorCode: null,
    details: { rpc_code: rpcCodes[kind], raw_line: line.raw, stderr_tail: shownTail(line.stderrTail) },
  });
}

/** So many calls in a row without an answer that the process is ended (T24). */
export function tooSlow(plugin: string, calls: number, stderrTail: string): GumError {
  const explanation: Explanation = {
    cause: "too_many_timeouts",
    what: `did not answer ${calls} calls in a row and is ended`,
    hint: "raise the timeout, or see the plugin's last lines in details.stderr_tail",
  };
  return named(failure(plugin, explanation, { exit: null, stderrTail }), "Timeout");
}

/** The process lives on although its stdin has ended. */
export function ignoredEnd(
  plugin: string,
  timeoutMs: number,
  evidence: Pick<Evidence, "exit" | "stderrTail">,
): GumError {
  const explanation: Explanation = {
    cause: "ignored_end",
    what: `did not end within ${timeoutMs} ms after its stdin was closed`,
    hint: "end when stdin ends",
  };
  return named(failure(plugin, explanation, evidence), "Timeout");
}

/** What a call gets whose session was closed. */
export function closedSession(plugin: string): GumError {
  const what = "was closed before it had answered";
  const explanation: Explanation = { cause: "session_closed", what, hint: "call again" };
  return failure(plugin, explanation, { exit: null, stderrTail: "" });
}
