import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";

/** Calls that change or destroy something need somebody's yes. */
export const confirm = defineStep({
  name: "confirm",
  summary: "Refuse a write or destructive call that nobody confirmed.",
  needs: ["resolved", "request", "riskAccepted"],
  gives: ["confirmed"],
  codes: ["REQUIRES_CONFIRMATION"],
  run({ resolved, request }) {
    const { risk_class, op_id } = resolved.variant;
    if (risk_class !== "read" && !request.confirmed) {
      throw new GumError(
        "REQUIRES_CONFIRMATION",
        `"${op_id}" is a ${risk_class} operation and nobody confirmed it.`,
        {
          hint: "add --yes, or answer the question on a terminal",
          details: { risk_class },
        },
      );
    }
    return { confirmed: true };
  },
});
