// What the operations around canaries, quarantine and drift answer; spelt as in the JSON.
import type { ErrorCode } from "../base/error-codes.ts";
import type { Warning } from "../base/errors.ts";
import type { DriftChange, DriftClass } from "../model/drift-wording.ts";
import type { Status } from "../model/registry.ts";
import type { StepRecord } from "../pipeline/step.ts";

/** Why a canary failed. */
export interface CanaryError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** C4: one canary of one plugin. */
export interface CanaryAnswer {
  readonly plugin: string;
  readonly ok: boolean;
  readonly live: boolean;
  /** Of the trial call; null where none was made. */
  readonly latency_ms: number | null;
  /** From the start of the process to its last tool; null where it did not come so far. */
  readonly spawn_ms: number | null;
  /** The plugin's status afterwards. */
  readonly status: Status;
  readonly steps: readonly StepRecord[];
  readonly warnings: readonly Warning[];
  readonly error?: CanaryError;
}

/** C11: every active plugin. */
export interface CanariesAnswer {
  readonly ok: boolean;
  readonly live: boolean;
  readonly canaries: readonly CanaryAnswer[];
}

export interface ReloadAnswer {
  readonly ok: true;
  readonly plugin: string;
  readonly version: string;
  readonly status: Status;
  readonly generation: number;
  readonly live: boolean;
  readonly latency_ms: number | null;
  readonly spawn_ms: number;
  /** Compatible changes of its tools that were accepted. */
  readonly accepted: readonly DriftChange[];
  readonly warnings: readonly Warning[];
  readonly steps: readonly StepRecord[];
}

export interface UnquarantineAnswer {
  readonly ok: true;
  readonly plugin: string;
  /** False when it was not quarantined. */
  readonly changed: boolean;
  /** What it was quarantined for. */
  readonly lifted: string | null;
  readonly status: Status;
  readonly generation: number;
}

export interface DiffAnswer {
  readonly plugin: string;
  readonly version: string;
  readonly drift: boolean;
  /** The gravest class; null when nothing changed. */
  readonly class: DriftClass | null;
  readonly changes: readonly DriftChange[];
  readonly tools: { readonly pinned: number; readonly running: number };
}
