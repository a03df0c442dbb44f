// W17: the nine failures of the handshake wire and the stable code of each.
import type { ErrorCode } from "../base/error-codes.ts";
import { GumError } from "../base/errors.ts";
import { type Evidence, type Explanation, explain } from "./causes.ts";
import { failure, launchError, shownTail } from "./failure.ts";
import { oneLine } from "./text.ts";

export const handshakeFailures = [
  "launch_failed",
  "handshake_failed",
  "timeout",
  "crashed",
  "malformed_response",
  "tool_not_exposed",
  "protocol_version_mismatch",
  "capability_not_declared",
  "capability_not_allowed",
] as const;
export type HandshakeFailure = (typeof handshakeFailures)[number];

const stableCodes: Readonly<Partial<Record<HandshakeFailure, ErrorCode>>> = {
  timeout: "PLUGIN_TIMEOUT",
  tool_not_exposed: "OP_NOT_FOUND",
  capability_not_declared: "POLICY_DENIED",
  capability_not_allowed: "POLICY_DENIED",
};

/** What is wrong with what the plugin said. */
export interface Refusal {
  readonly failureCode: HandshakeFailure;
  /** To stand behind `The plugin "x" `. */
  readonly what: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** What the host saw beside it. */
export interface Scene {
  readonly plugin: string;
  readonly stderrTail: string;
  /** The line at fault, cut. */
  readonly raw?: string | undefined;
}

/** Failures that say that the plugin cannot be talked to, which quarantine counts (C8). */
const causeOf: Readonly<Partial<Record<HandshakeFailure, Explanation["cause"]>>> = {
  handshake_failed: "handshake_refused",
  protocol_version_mismatch: "protocol_version",
  malformed_response: "stdout_not_protocol",
};

/** The error for a line that gum does not accept. */
export function refusalError({ failureCode, what, hint, details }: Refusal, scene: Scene): GumError {
  const cause = causeOf[failureCode];
  const { raw, stderrTail } = scene;
  const shown = raw === undefined ? "" : `: ${JSON.stringify(oneLine(raw, 200))}`;
  const code = stableCodes[failureCode] ?? "SERVICE_DOWN";
  return new GumError(code, `The plugin "${scene.plugin}" ${what}${shown}.`, {
    hint,
    failureCode,
    sourceErrorCode: null,
    details: {
      ...(cause === undefined ? {} : { cause, exit: null }),
      stderr_tail: shownTail(stderrTail),
      ...(raw === undefined ? {} : { raw_line: raw }),
      ...details,
    },
  });
}

/** Nothing was executed. A refusal of the sandbox keeps its own code. */
export function launchFailed(plugin: string, reason: unknown): GumError {
  return named(reason instanceof GumError ? reason : launchError(plugin, reason), "launch_failed");
}

/** The process or a pipe of it ended before a valid response. */
export function crashed(plugin: string, evidence: Evidence): GumError {
  return named(failure(plugin, explain(evidence), evidence), "crashed");
}

export interface Lateness {
  readonly phase: "handshake" | "call";
  readonly timeoutMs: number;
  readonly stderrTail: string;
  readonly unfinished: string;
}

/** No line in time. A handshake without an answer counts as a crash, one slow call does not (C8). */
export function tooLate(plugin: string, { phase, timeoutMs, stderrTail, unfinished }: Lateness): GumError {
  const what = phase === "handshake" ? "the handshake" : "the request";
  const message = `The plugin "${plugin}" did not answer ${what} within ${timeoutMs} ms and was ended.`;
  return new GumError("PLUGIN_TIMEOUT", message, {
    failureCode: "timeout",
    sourceErrorCode: null,
    details: {
      ...(phase === "handshake" ? { cause: "no_answer", exit: null } : {}),
      timeout_ms: timeoutMs,
      stderr_tail: shownTail(stderrTail),
      ...(unfinished === "" ? {} : { unfinished_line: unfinished }),
    },
  });
}

/** What a call gets whose session was closed, or has made its one call. */
export function sessionOver(plugin: string): GumError {
  const what = "has been closed; a process of this kind answers one call";
  const explanation: Explanation = { cause: "session_closed", what, hint: "call again" };
  return failure(plugin, explanation, { exit: null, stderrTail: "" });
}

function named({ info, code, message }: GumError, failureCode: HandshakeFailure): GumError {
  return new GumError(code, message, { ...info, failureCode });
}
