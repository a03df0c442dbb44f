// Quarantine and backoff of one plugin, as pure changes of its state row. Time is always given.
import { GumError } from "../base/errors.ts";
import type { Registry, StateRow } from "../model/registry.ts";
import { calm, withState, withStatus } from "./rows.ts";

/** Seconds that a plugin rests after its first, second … fifth crash in a row (C7). */
export const backoffSeconds = [30, 60, 120, 240, 480] as const;

/** Faults that no retry can heal: the plugin is not the one that was trusted (C9). */
export const trustFaults: ReadonlySet<string> = new Set([
  "PLUGIN_EXECUTABLE_UNTRUSTED",
  "PLUGIN_TREE_MODIFIED",
  "PLUGIN_TOOLS_DRIFT",
]);

export interface Failure {
  readonly code: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The row after a crash: the next step of the backoff, the end of it, or a lasting quarantine (C7, C9, C10). */
export function afterFailure(row: StateRow, failure: Failure): StateRow {
  const retries = row.retry_count + 1;
  const seconds = backoffSeconds[retries - 1];
  const lasting =
    trustFaults.has(failure.code) || (failure.code !== "CANARY_FAILED" && seconds === undefined);
  const retryAt = lasting || failure.code === "CANARY_FAILED" || seconds === undefined ? null : seconds;
  return withStatus({
    ...row,
    quarantined: true,
    quarantined_at: instant(failure.now),
    reason: failure.reason,
    last_error_code: failure.code,
    retry_count: retries,
    backoff_step: Math.min(retries, backoffSeconds.length),
    next_retry_at: retryAt === null ? null : instant(failure.now + retryAt * 1000),
    permanent_quarantine: row.permanent_quarantine || lasting,
  });
}

/** The row after a success: everything is forgiven, but a lasting quarantine only by `clearQuarantine`. */
export function afterSuccess(row: StateRow): StateRow {
  return row.permanent_quarantine ? row : clearQuarantine(row);
}

/** The row without any quarantine, on the user's word or after a passing reload. */
export function clearQuarantine(row: StateRow): StateRow {
  return withStatus({ ...row, ...calm });
}

/** The row with `needs_configuration` set or cleared (C6). */
export function withConfiguration(row: StateRow, needsConfiguration: boolean): StateRow {
  return withStatus({ ...row, needs_configuration: needsConfiguration });
}

/** Whether a quarantined plugin may be tried now. */
export interface RetryWindow {
  readonly mayTry: boolean;
  readonly nextRetryAt: string | null;
  readonly retryAfterMs: number | null;
  /** Set when the clock had jumped: the row to publish, so that the rest ends when its length is over (C12). */
  readonly corrected: StateRow | null;
}

/** Reads the backoff of a row: inside the window no process starts, after it one attempt is allowed (C7, C12). */
export function retryWindow(row: StateRow, now: number): RetryWindow {
  if (!row.quarantined) return { mayTry: true, nextRetryAt: null, retryAfterMs: null, corrected: null };
  if (row.permanent_quarantine || row.next_retry_at === null) {
    return { mayTry: false, nextRetryAt: null, retryAfterMs: null, corrected: null };
  }
  const length = stepMs(row);
  const left = Date.parse(row.next_retry_at) - now;
  if (left <= 0) return { mayTry: true, nextRetryAt: row.next_retry_at, retryAfterMs: 0, corrected: null };
  if (left <= length)
    return { mayTry: false, nextRetryAt: row.next_retry_at, retryAfterMs: left, corrected: null };
  const nextRetryAt = instant(now + length);
  return {
    mayTry: false,
    nextRetryAt,
    retryAfterMs: length,
    corrected: { ...row, next_retry_at: nextRetryAt },
  };
}

/** The row while its one attempt runs: others wait as if it had just failed with the same step. */
export function beginAttempt(row: StateRow, now: number): StateRow {
  const window = retryWindow(row, now);
  if (!window.mayTry) {
    throw new GumError(
      "PLUGIN_QUARANTINED",
      `The plugin "${row.name}" is quarantined: ${row.reason ?? "unknown"}.`,
      {
        details: { next_retry_at: window.nextRetryAt },
        ...(window.retryAfterMs === null ? {} : { retryAfterMs: window.retryAfterMs }),
      },
    );
  }
  return row.quarantined ? { ...row, next_retry_at: instant(now + stepMs(row)) } : row;
}

/** The registry with a plugin quarantined after a failure. */
export function quarantine(registry: Registry, name: string, failure: Failure): Registry {
  return withState(registry, name, (row) => afterFailure(row, failure));
}

/** The registry with a plugin's quarantine lifted. */
export function unquarantine(registry: Registry, name: string): Registry {
  return withState(registry, name, (row) => (row.quarantined ? clearQuarantine(row) : row));
}

function stepMs(row: StateRow): number {
  const step = Math.min(Math.max(row.backoff_step, 1), backoffSeconds.length);
  return (backoffSeconds[step - 1] ?? backoffSeconds[0]) * 1000;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
