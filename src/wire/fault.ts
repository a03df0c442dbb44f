import type { LineFault } from "./line-reader.ts";

/** Why a connection ended without being asked to. */
export type Fault =
  | { readonly kind: "exited" }
  | { readonly kind: "stdout_closed" }
  | { readonly kind: "stopped_reading" }
  | { readonly kind: "not_protocol"; readonly line: string }
  | { readonly kind: "malformed"; readonly reason: LineFault | "too_deep"; readonly sample: string };
