import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { takeFromBucket } from "../registry/rate.ts";

/** The plugin's own limit, kept per profile across processes. */
export const checkRate = defineStep({
  name: "check-rate",
  summary: "Refuse a call beyond the plugin's rate_policy.",
  needs: ["profile", "resolved", "confirmed"],
  gives: ["rateAllowed"],
  codes: ["RATE_LIMITED", "REGISTRY_IO", "REGISTRY_LOCKED"],
  async run({ profile, resolved }, { host, note }) {
    const { name, plugin } = resolved.lock;
    const policy = plugin.rate_policy;
    if (policy === null) return { rateAllowed: true };
    const waitMs = await takeFromBucket(host, profile, name, policy);
    if (waitMs !== undefined) {
      throw new GumError(
        "RATE_LIMITED",
        `Plugin "${name}" takes ${calls(policy.per_minute)} a minute, ${calls(policy.burst)} at once.`,
        { retryable: true, retryAfterMs: waitMs, details: { ...policy } },
      );
    }
    note(`${policy.per_minute} a minute`);
    return { rateAllowed: true };
  },
});

function calls(count: number): string {
  return count === 1 ? "one call" : `${count} calls`;
}
