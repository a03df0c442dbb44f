import type { Grants } from "./registry.ts";
import type { RiskClass } from "./risk.ts";

/** What a person sees before saying yes to an install. Variables are named, values never. */
export interface ConsentSummary {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly owner: string;
  readonly source: string;
  /** The id of the trusted key that signed the package; null when none did. */
  readonly signed_by: string | null;
  readonly license: string | null;
  readonly tos_status: string | null;
  readonly risk: string | null;
  readonly tools: readonly { readonly name: string; readonly risk_class: RiskClass }[];
  readonly network: boolean;
  /** Where it may write, in words. */
  readonly writes: string;
  readonly env: readonly string[];
  readonly credentials: readonly string[];
  readonly granted: Grants;
  /** What the manifest asks for beyond its sandbox and was not granted. */
  readonly requested: {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly shm: boolean;
    /** Only a handshake-plugin has these; a yes to them is a question of its own (W18). */
    readonly capabilities?: readonly string[] | undefined;
  };
}

/** A yes with the capabilities that somebody granted by a yes of their own. */
export interface ConsentWithGrants {
  readonly capabilities: readonly string[];
}

/**
 * Shows the summary and asks; "no-terminal" when nobody is there to answer. Where the answer is already known (a flag,
 * a dev profile) the summary is shown and nothing is asked, so that nothing is granted either.
 */
export type AskConsent = (
  summary: ConsentSummary,
  answered: "flag" | "dev-profile" | undefined,
) => Promise<boolean | "no-terminal" | ConsentWithGrants>;
