import { defineStep } from "../pipeline/step.ts";

/** Ends the plugin and everything that it has started. */
export const closeSession = defineStep({
  name: "close-session",
  summary: "End the plugin and everything it has started.",
  needs: ["trial", "verdict"],
  gives: ["trialClosed"],
  codes: [],
  async run({ trial }) {
    await trial.session.close();
    return { trialClosed: true };
  },
});
