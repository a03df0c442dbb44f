// What `gum plugin setup` answers; spelt as in the JSON. Variables are not named, and values never (T17).
import type { Warning } from "../base/errors.ts";
import type { CredentialOrigin } from "../model/credentials.ts";
import type { Status } from "../model/registry.ts";
import type { StepRecord } from "../pipeline/step.ts";

export interface CredentialView {
  readonly alias: string;
  readonly display_name: string;
  readonly setup_hint: string;
  readonly required: boolean;
  /** Where its value is; null when there is none. */
  readonly found: CredentialOrigin | null;
}

/** Something to do outside gum. */
export interface ChecklistItem {
  readonly alias: string;
  readonly kind: string;
  readonly display_name: string;
  readonly setup_hint: string;
}

/** Where credentials are kept, and whether that can be used now. */
export interface StoreView {
  readonly name: "keychain" | "file" | "environment";
  readonly state: "open" | "locked" | "unavailable";
  readonly reason: string | null;
}

export interface SetupAnswer {
  /** Whether nothing is missing, and, after a setup, whether the live canary went well. */
  readonly ok: boolean;
  readonly plugin: string;
  readonly status: Status;
  readonly store: StoreView;
  readonly credentials: readonly CredentialView[];
  readonly checklist: readonly ChecklistItem[];
  /** Aliases that were kept anew. */
  readonly stored: readonly string[];
  /** Aliases that were forgotten. */
  readonly forgotten: readonly string[];
  /** The live canary; null when none was made. */
  readonly canary: { readonly latency_ms: number | null; readonly spawn_ms: number } | null;
  readonly warnings: readonly Warning[];
  readonly steps: readonly StepRecord[];
}
