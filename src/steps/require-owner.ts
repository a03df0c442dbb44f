import * as v from "valibot";
import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";

/** Refuses plugins of owners that the operator has not named. */
export const requireOwner = defineStep({
  name: "require-owner",
  summary: "Refuse plugins of owners that the operator has not named.",
  needs: ["plugin", "claim"],
  gives: [],
  codes: ["POLICY_DENIED"],
  optional: true,
  args: v.strictObject({
    owners: v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.description("Owners; `io.example.*` stands for all below it."),
    ),
  }),
  run({ plugin, claim }, { note }, { owners }) {
    if (!owners.some((owner) => covers(owner, claim.owner))) {
      throw new GumError(
        "POLICY_DENIED",
        `The owner ${claim.owner} of "${plugin.id}" is not among those allowed.`,
        {
          details: { owner: claim.owner, allowed: owners },
        },
      );
    }
    note(claim.owner);
    return {};
  },
});

function covers(pattern: string, owner: string): boolean {
  return pattern.endsWith(".*") ? owner.startsWith(pattern.slice(0, -1)) : owner === pattern;
}
