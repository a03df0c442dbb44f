import type { ErrorCode } from "../base/error-codes.ts";
import type { Place } from "../base/errors.ts";
import type { StateKey } from "./state.ts";
import type { AnyStep, Predicate } from "./step.ts";

/** Far above any pipeline that a person would read. */
export const maxPipelineBytes = 256 * 1024;

/** An hour: what takes longer has lost its way. */
export const longestTimeoutMs = 3_600_000;

export const errorAnswers = ["fail", "quarantine", "warn"] as const;
export type ErrorAnswer = (typeof errorAnswers)[number];

/** One entry of a pipeline file, proven and ready to run. */
export interface BoundStep {
  readonly name: string;
  readonly step: AnyStep;
  readonly args: unknown;
  readonly when?: { readonly name: string; readonly predicate: Predicate } | undefined;
  /** What the file says in `on_error`. */
  readonly answers?: unknown;
  readonly always: boolean;
  readonly timeoutMs?: number | undefined;
  readonly note?: string | undefined;
  readonly at: Place;
  /** What to do about an error of this code. */
  onError(code: ErrorCode): ErrorAnswer;
}

/** A pipeline file whose order has been proven. */
export interface Pipeline {
  readonly name: string;
  readonly version: number;
  readonly summary: string;
  readonly file: string;
  /** SHA-256 of the JCS form of the parsed file. */
  readonly sha256: string;
  /** Whether it came from an operator's folder. */
  readonly edited: boolean;
  readonly steps: readonly BoundStep[];
  /** The parsed file, as `show --format json` prints it. */
  readonly source: unknown;
}

/** What the code that runs a pipeline starts it with, and what it expects of the file. */
export interface Contract {
  /** Keys that are there from the start, with the type name that the file's `input` says. */
  readonly input: Readonly<Partial<Record<StateKey, string>>>;
  /** Keys that must be there at the end. */
  readonly gives: readonly StateKey[];
  /** Pairs of steps of which the first must stand before the second, where no proof key says it. */
  readonly order: readonly (readonly [before: string, after: string])[];
  /** The last step but for those that always run. */
  readonly last?: string;
}
export type Contracts = Readonly<Record<string, Contract>>;
