import { checkText as check } from "../manifest/checks/text.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse control, bidirectional and invisible characters in names and descriptions. */
export const checkText = defineStep({
  name: "check-text",
  summary: "Refuse control, bidirectional and invisible characters in names and descriptions.",
  needs: ["document", "plugin"],
  gives: ["safeText"],
  codes: ["PLUGIN_TEXT_UNSAFE"],
  run({ document, plugin }) {
    refuse(check(plugin, document));
    return { safeText: true };
  },
});
