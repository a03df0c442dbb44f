import { defineStep } from "../pipeline/step.ts";
import { findCredentials, foundNote, requireCredentials } from "./plugin-credentials.ts";

/** Finds the credentials of a plugin that is about to be tried; a live trial is not made without them. */
export const resolveTrialCredentials = defineStep({
  name: "resolve-trial-credentials",
  summary: "Find the plugin's credentials; a live trial needs them all.",
  needs: ["installed", "profile", "trialRequest", "trialProgram"],
  gives: ["trialCredentials"],
  codes: ["AUTH_REQUIRED", "KEYCHAIN_UNAVAILABLE"],
  async run({ installed, profile, trialRequest }, { host, signal, note }) {
    const { plugin } = installed;
    const trialCredentials = await findCredentials(host, profile, plugin, signal);
    if (trialRequest.live) requireCredentials(plugin, trialCredentials, "needs_configuration");
    note(foundNote(trialCredentials));
    return { trialCredentials };
  },
});
