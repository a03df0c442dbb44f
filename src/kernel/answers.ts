// What the operations of the kernel answer. Front ends print these as JSON as they are, so names are spelt as there.
import type { ErrorCode } from "../base/error-codes.ts";
import type { Place, Warning } from "../base/errors.ts";
import type { Status } from "../model/registry.ts";
import type { StepRecord } from "../pipeline/step.ts";

export interface FindingAnswer {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path?: string | undefined;
  readonly at?: Place | undefined;
  readonly hint?: string | undefined;
}

export interface ValidateAnswer {
  readonly ok: boolean;
  /** The code of the first finding. */
  readonly error_code: ErrorCode | null;
  readonly file: string | null;
  readonly plugin: { readonly id: string; readonly version: string; readonly shape: string } | null;
  readonly findings: readonly FindingAnswer[];
  readonly warnings: readonly Warning[];
}

export interface InstallAnswer {
  readonly ok: boolean;
  readonly plugin: string;
  readonly version: string;
  readonly status: Status | "not_installed";
  readonly dry_run: boolean;
  readonly generation: number | null;
  readonly install_root: string | null;
  readonly quarantine: { readonly code: string; readonly reason: string } | null;
  readonly warnings: readonly Warning[];
  readonly steps: readonly StepRecord[];
}

export interface PluginSummary {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly status: Status;
}

export interface RemoveAnswer {
  readonly ok: true;
  readonly plugin: string;
  readonly generation: number;
  /** What --purge took away as well: the aliases of forgotten credentials, and whether there was data. */
  readonly purged: { readonly credentials: readonly string[]; readonly data: boolean } | null;
}

export interface PipelineSummary {
  readonly name: string;
  readonly summary: string;
  readonly steps: number;
  readonly sha256: string;
  readonly edited: boolean;
}

export interface PipelineStepView {
  readonly number: number;
  readonly step: string;
  readonly summary: string;
  readonly needs: readonly string[];
  readonly gives: readonly string[];
  readonly codes: readonly ErrorCode[];
  readonly with?: unknown;
  readonly when?: string | undefined;
  readonly on_error?: unknown;
  readonly always: boolean;
  readonly timeout_ms?: number | undefined;
  readonly note?: string | undefined;
}

export interface PipelineView extends Omit<PipelineSummary, "steps"> {
  readonly file: string;
  readonly steps: readonly PipelineStepView[];
}

export interface PipelineDifference {
  readonly pipeline: string;
  readonly changes: readonly {
    readonly kind: "added" | "removed" | "moved" | "changed";
    readonly step: string;
    readonly text: string;
  }[];
}
