import { defineStep } from "../pipeline/step.ts";
import { argumentsError } from "../wire/schema-check.ts";
import { checkValue } from "./check-value.ts";

/** Arguments that the tool's own schema refuses never reach a process. */
export const validateArgs = defineStep({
  name: "validate-args",
  summary: "Refuse arguments that do not fit the tool's request schema.",
  needs: ["profile", "resolved", "request", "runtime", "callable", "riskAccepted"],
  gives: ["argsValid"],
  codes: ["INVALID_ARGS", "REGISTRY_IO"],
  async run({ profile, resolved, request, runtime }, tools) {
    const { variant } = resolved;
    const check = { profile, runtime, variant, side: "request", value: request.args } as const;
    const violations = await checkValue(tools, check);
    if (violations !== undefined && violations.length > 0) throw argumentsError(variant.op_id, violations);
    tools.note(violations === undefined ? "no schema" : "the arguments fit");
    return { argsValid: true };
  },
});
