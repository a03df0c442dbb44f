import * as v from "valibot";
import { defineStep } from "../pipeline/step.ts";
import { callTrial, trialTimeoutMs, tryWithoutCall } from "./trial.ts";

/** Makes the manifest's trial call, when a live canary is wanted and the plugin has one. */
export const callCanary = defineStep({
  name: "call-canary",
  summary: "Make the plugin's trial call, if a live canary is wanted.",
  needs: ["installed", "trial", "trialRequest", "pinOutcome", "trialCredentials"],
  gives: ["trialCall"],
  codes: ["CANARY_FAILED", "POLICY_DENIED"],
  args: v.strictObject({
    timeout_ms: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(600_000)),
      trialTimeoutMs,
    ),
  }),
  async run({ installed, trial, trialRequest, trialCredentials }, tools, { timeout_ms }) {
    const { plugin } = installed;
    if (!trialRequest.live) {
      await tryWithoutCall(tools, plugin, trial.session, timeout_ms);
      tools.note("not wanted");
      return { trialCall: null };
    }
    const wishes = { timeoutMs: timeout_ms, args: trialRequest.args, credentials: trialCredentials };
    const trialCall = await callTrial(tools, plugin, trial.session, wishes);
    tools.note(
      trialCall === null
        ? "the handshake is the canary"
        : `${trialCall.tool} answered in ${Math.round(trialCall.latencyMs)} ms`,
    );
    return { trialCall };
  },
});
