import { defineStep } from "../pipeline/step.ts";

/** Starts the plugin in its sandbox; it ends with the pipeline. */
export const openSession = defineStep({
  name: "open-session",
  summary: "Start the plugin in its sandbox and open a session.",
  needs: ["prepared", "verified"],
  gives: ["session"],
  codes: ["PLUGIN_SANDBOX_UNSUPPORTED", "PLUGIN_SHAPE_UNSUPPORTED", "SERVICE_DOWN", "PLUGIN_TIMEOUT"],
  async run({ prepared, verified }, { signal, cleanup }) {
    const session = await prepared.start({ verified, signal });
    cleanup.defer(() => session.close());
    return { session };
  },
});
