import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { checkValue } from "./check-value.ts";

/** A result that does not fit the response schema is a warning, or an error where the profile says so (D5). */
export const validateResult = defineStep({
  name: "validate-result",
  summary: "Compare the result with the tool's response schema.",
  needs: ["profile", "resolved", "runtime", "payload"],
  gives: ["resultChecked"],
  codes: ["RESULT_INVALID", "REGISTRY_IO"],
  async run({ profile, resolved, runtime, payload }, tools) {
    const { variant } = resolved;
    const check = { profile, runtime, variant, side: "response", value: payload.payload.data } as const;
    const violations = await checkValue(tools, check);
    const [first] = violations ?? [];
    if (first !== undefined) {
      const where = first.pointer === "" ? "the data" : first.pointer;
      const said = `The result of "${variant.op_id}" does not fit its response schema: ${where} ${first.message}.`;
      if (runtime.settings.strictResults) {
        throw new GumError("RESULT_INVALID", said, { retryable: false, details: { violations } });
      }
      tools.warn({ message: `RESULT_INVALID: ${said}`, hint: "report it to the plugin's author" });
    }
    return { resultChecked: true };
  },
});
