import { defineStep } from "../pipeline/step.ts";
import { findCredentials, foundNote, requireCredentials } from "./plugin-credentials.ts";
import { standIn } from "./skipped.ts";

/** Finds the plugin's credentials: what the profile keeps, else what the user's environment has. */
export const resolveCredentials = defineStep({
  name: "resolve-credentials",
  summary: "Find the plugin's credentials in the keychain, else in the environment.",
  needs: ["resolved", "profile", "callable", "cached", "verified"],
  gives: ["credentials"],
  codes: ["AUTH_REQUIRED", "KEYCHAIN_UNAVAILABLE", "PIPELINE_INVALID"],
  skippableBy: ["not-cached"],
  async run({ resolved, profile, verified }, { host, signal, note }) {
    if (verified.how === "running") {
      note("as when it was started");
      return { credentials: null };
    }
    const { plugin } = resolved.lock;
    const credentials = await findCredentials(host, profile, plugin, signal);
    requireCredentials(plugin, credentials, resolved.status);
    note(foundNote(credentials));
    return { credentials };
  },
  otherwise({ cached }) {
    standIn("resolve-credentials", cached);
    return { credentials: null };
  },
});
