import type { LockRow, StateRow, VariantRow } from "./registry.ts";
import type { RiskClass } from "./risk.ts";

/** One call as the caller made it. */
export interface CallRequest {
  /** `plug.<id>.<tool>` or an op id. */
  readonly op: string;
  readonly variantId?: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the caller says the risk is; undefined for the author's direct path, which takes the tool's own. */
  readonly risk?: RiskClass | undefined;
  /** A person or a flag has said yes to a write or destructive call. */
  readonly confirmed: boolean;
  readonly timeoutMs?: number | undefined;
}

/** The variant that a call goes to, with everything known about its plugin. */
export interface ResolvedOp {
  readonly variant: VariantRow;
  readonly lock: LockRow;
  readonly state: StateRow;
  /** Whether the caller named the plugin or an op; it decides which quarantine code is answered. */
  readonly addressedBy: "plugin" | "op";
}
