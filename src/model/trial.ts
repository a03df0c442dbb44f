// A canary of an installed plugin: what is asked of it, and what it found out.
import type { DriftChange } from "./drift-wording.ts";
import type { Answer, Description, Session } from "./session.ts";

/** What is asked of a canary of an installed plugin. */
export interface TrialRequest {
  /** Make the trial call, too; without it the plugin is started and its tools are compared (C4). */
  readonly live: boolean;
  /** What to say instead of some of the manifest's arguments. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** Pin the tools anew when all that changed is compatible (T31). */
  readonly acceptDrift: boolean;
}

/** A plugin that was started to be tried. */
export interface OpenTrial {
  readonly session: Session;
  readonly description: Description;
  /** From the start of the process to the last page of its tools. */
  readonly spawnMs: number;
}

/** How the listed tools fit those that were pinned. */
export interface PinOutcome {
  /** `first`: nothing was pinned before. `accepted`: they differ, and the difference was accepted. */
  readonly kind: "same" | "first" | "accepted";
  readonly changes: readonly DriftChange[];
}

/** The trial call and its answer; null where none was made. */
export interface TrialCall {
  readonly tool: string;
  readonly answer: Answer;
  readonly latencyMs: number;
}

/** A trial that went as expected. */
export interface TrialVerdict {
  /** Everything that the plugin's canary asks for was tried, not the handshake of one that asks for a call. */
  readonly whole: boolean;
  readonly spawnMs: number;
  readonly latencyMs: number;
}

/** The last canary of a plugin, as it is kept in the cache folder (C15). */
export interface KeptCanary {
  readonly plugin: string;
  readonly at: string;
  readonly ok: boolean;
  readonly live: boolean;
  readonly latency_ms: number | null;
  readonly spawn_ms: number | null;
  readonly code: string | null;
  readonly reason: string | null;
}
