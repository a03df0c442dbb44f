import * as v from "valibot";
import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";

/** Refuses plugins whose manifest names no license, or one that the operator does not allow. */
export const requireLicense = defineStep({
  name: "require-license",
  summary: "Refuse plugins without a license that the operator allows.",
  needs: ["plugin"],
  gives: [],
  codes: ["POLICY_DENIED"],
  optional: true,
  args: v.strictObject({ allow: v.optional(v.pipe(v.array(v.string()), v.minLength(1))) }),
  run({ plugin }, { note }, { allow }) {
    const { license, id } = plugin;
    if (license === null) throw new GumError("POLICY_DENIED", `The plugin "${id}" names no license.`);
    if (allow !== undefined && !allow.includes(license)) {
      throw new GumError(
        "POLICY_DENIED",
        `The license ${license} of "${id}" is not among those allowed: ${allow.join(", ")}.`,
      );
    }
    note(license);
    return {};
  },
});
