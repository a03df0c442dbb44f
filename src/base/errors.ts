import type { ErrorCode } from "./error-codes.ts";

/** A position in a text file, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The text of that line, so that a terminal can show it with a caret. */
  readonly text?: string | undefined;
}

/** One fault among several of the same class; `path` is like `advertised_tools[2].risk_class`. */
export interface Finding {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path?: string | undefined;
  readonly at?: Place | undefined;
  readonly hint?: string | undefined;
}

/** Something worth knowing that stops nothing. */
export type Warning = Omit<Finding, "code">;

export interface ErrorInfo {
  readonly at?: Place | undefined;
  /** What to do next, as a sentence or a command. Without one, the code's own hint is shown. */
  readonly hint?: string | undefined;
  /** Facts for machines; they stand in the JSON envelope and never hold a secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly sourceErrorCode?: string | null | undefined;
  readonly failureCode?: string | undefined;
  readonly cause?: unknown;
}

/** A message may quote what a stranger wrote: 2,000 characters of a plugin at most (W9), each of two units. */
const longestMessage = 5000;

function shortened(message: string): string {
  return message.length > longestMessage
    ? `${message.slice(0, longestMessage - 1).toWellFormed()}…`
    : message;
}

/** Every refusal and failure that gum knows by name. Anything else that is thrown is INTERNAL_ERROR. */
export class GumError extends Error {
  override readonly name = "GumError";
  readonly code: ErrorCode;
  readonly info: ErrorInfo;

  constructor(code: ErrorCode, message: string, info: ErrorInfo = {}) {
    super(shortened(message), info.cause === undefined ? undefined : { cause: info.cause });
    this.code = code;
    this.info = info;
  }
}

/** One error for several findings of one class; the first gives code, sentence and place (M41). */
export function findingsError(findings: readonly [Finding, ...Finding[]]): GumError {
  const [first] = findings;
  return new GumError(first.code, first.message, {
    at: first.at,
    hint: first.hint,
    details: { findings },
  });
}

/** The error itself when gum raised it, else INTERNAL_ERROR around it. */
export function asGumError(error: unknown): GumError {
  if (error instanceof GumError) return error;
  const said = error instanceof Error ? error.message : String(error);
  return new GumError("INTERNAL_ERROR", `Unexpected failure: ${said}`, { cause: error });
}

/** The answer could not be written to standard output. No code says so: who reads codes reads there. */
export class OutputError extends Error {
  override readonly name = "OutputError";

  constructor(cause: unknown) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super(`cannot write the answer to stdout: ${said}`, { cause });
  }
}

/** True for an error of the operating system with this code, such as ENOENT. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
