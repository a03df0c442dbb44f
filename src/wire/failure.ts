// Failures of a plugin process as errors. `details.cause` is there exactly when the session is over.
import { GumError } from "../base/errors.ts";
import type { ExitStatus } from "../model/session.ts";
import { type Cause, type Evidence, type Explanation, explain } from "./causes.ts";
import { escapeControls } from "./text.ts";

/** How much of stderr stands in an error; the session keeps more. */
const shownCharacters = 8192;

export interface FailureDetails {
  readonly cause: Cause;
  readonly stderr_tail: string;
  readonly exit: ExitStatus | null;
}

/** The error for a plugin that did not start, died, or had to be ended (W27). */
export function deathError(plugin: string, evidence: Evidence): GumError {
  return failure(plugin, explain(evidence), evidence);
}

/** The error of a launch that never became a process, or not the plugin's; `reason` is what was thrown. */
export function launchError(plugin: string, reason: unknown, stderrTail = ""): GumError {
  const errno = reason instanceof Error && "code" in reason ? String(reason.code) : "unknown";
  const evidence: Evidence = { phase: "launch", exit: null, stderrTail, errno };
  return failure(plugin, explain(evidence), evidence, reason);
}

/** An error with a cause that is known without looking at evidence. */
export function failure(
  plugin: string,
  { cause, what, hint }: Explanation,
  evidence: Pick<Evidence, "exit" | "stderrTail">,
  reason?: unknown,
): GumError {
  const details: FailureDetails = { cause, stderr_tail: shownTail(evidence.stderrTail), exit: evidence.exit };
  const code = cause === "no_answer" || cause === "too_many_timeouts" ? "PLUGIN_TIMEOUT" : "SERVICE_DOWN";
  return new GumError(code, `The plugin "${plugin}" ${what}.`, {
    hint,
    details: { ...details },
    sourceErrorCode: null,
    cause: reason,
  });
}

/** The end of stderr as it may be shown. */
export function shownTail(stderr: string): string {
  const text = escapeControls(stderr);
  if (text.length <= shownCharacters) return text;
  const tail = text.slice(-shownCharacters);
  const start = tail.indexOf("\n") + 1;
  return start > 0 && start < shownCharacters / 2 ? tail.slice(start) : tail;
}

/** Whether quarantine counts this failure (C8): the plugin died or had to be ended; a single slow call does not. */
export function countsAsCrash(error: GumError): boolean {
  const cause = error.info.details?.cause;
  return typeof cause === "string" && cause !== "session_closed";
}
