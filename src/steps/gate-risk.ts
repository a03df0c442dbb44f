import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";

/** The caller states the risk of what it calls; stating another one is refused before anything starts. */
export const gateRisk = defineStep({
  name: "gate-risk",
  summary: "Refuse a call whose stated risk is not the operation's.",
  needs: ["resolved", "request"],
  gives: ["riskAccepted"],
  codes: ["RISK_TOOL_MISMATCH"],
  run({ resolved, request }, { note }) {
    const { risk_class, op_id } = resolved.variant;
    if (request.risk !== undefined && request.risk !== risk_class) {
      throw new GumError(
        "RISK_TOOL_MISMATCH",
        `"${op_id}" is a ${risk_class} operation, not ${request.risk}.`,
        {
          hint: `call it with --risk=${risk_class}`,
          details: { risk_class, stated: request.risk },
        },
      );
    }
    note(risk_class);
    return { riskAccepted: true };
  },
});
