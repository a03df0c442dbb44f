import type { RiskClass } from "../model/risk.ts";

/** The risk that MCP annotations state, with MCP's defaults: an absent hint is not a promise (M33). */
export function riskFromAnnotations(annotations: Readonly<Record<string, unknown>> | undefined): RiskClass {
  if (annotations?.readOnlyHint === true) return "read";
  return annotations?.destructiveHint === false ? "write" : "destructive";
}
