import * as v from "valibot";

export const riskClasses = ["read", "write", "destructive"] as const;
export const RiskClass = v.picklist(riskClasses);
export type RiskClass = v.InferOutput<typeof RiskClass>;
