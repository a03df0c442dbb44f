import type { LockRow, StateRow, Status, VariantRow } from "./registry.ts";
import type { RiskClass } from "./risk.ts";
import type { Progress, RawReply } from "./session.ts";

/** How the caller shows that somebody wants a call that changes or destroys something. */
export type Confirmation =
  /** A person's own command: a yes on the terminal or by flag (D3). */
  | { readonly kind: "flag"; readonly yes: boolean }
  /** Two calls, of which the first returns a token and the second presents it (D4). */
  | {
      readonly kind: "token";
      readonly token?: string | undefined;
      /** Two commands share the profile's key; a server's tokens are worth nothing outside its process. */
      readonly keySource: "profile" | "process";
    };

/** One call as the caller made it. */
export interface CallRequest {
  /** `plug.<id>.<tool>` or an op id. */
  readonly op: string;
  readonly variantId?: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the caller says the risk is; undefined for the author's direct path, which takes the tool's own. */
  readonly risk?: RiskClass | undefined;
  readonly confirmation: Confirmation;
  readonly timeoutMs?: number | undefined;
  /** Neither takes a remembered answer nor remembers this one. */
  readonly noCache?: boolean | undefined;
  /** Told what the plugin says about how far it has come. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Told what the plugin sent, before gum reads it. */
  readonly onReply?: ((reply: RawReply) => void) | undefined;
}

/** The variant that a call goes to, with everything known about its plugin. */
export interface ResolvedOp {
  readonly variant: VariantRow;
  readonly lock: LockRow;
  readonly state: StateRow;
  /** The plugin's status for the process that calls (R13). */
  readonly status: Status;
  /** The pinned digest of each of the plugin's tools, by name; null where nothing was pinned. */
  readonly pins: ReadonlyMap<string, string | null>;
  /** Set when lock and catalog disagree (R14). */
  readonly metadataWarning?: "lock_catalog_mismatch" | undefined;
  /** Whether the caller named the plugin or an op; it decides which quarantine code is answered. */
  readonly addressedBy: "plugin" | "op";
}
