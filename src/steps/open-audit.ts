import { defineStep } from "../pipeline/step.ts";
import { proveAppendable } from "../registry/audit.ts";

/** A call that could not be written down is not made: afterwards its answer is there, and it would be too late. */
export const openAudit = defineStep({
  name: "open-audit",
  summary: "Prove that the audit log can be written before anything starts.",
  // The last gate: whoever is refused for another reason is told that reason.
  needs: ["profile", "rateAllowed", "cached"],
  gives: ["auditReady"],
  codes: ["REGISTRY_IO"],
  async run({ profile }, { host }) {
    await proveAppendable(host, profile);
    return { auditReady: true };
  },
});
