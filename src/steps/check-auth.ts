import { checkAuth as check } from "../manifest/checks/auth.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse unknown auth strategies and components. */
export const checkAuth = defineStep({
  name: "check-auth",
  summary: "Refuse unknown auth strategies and components.",
  needs: ["document", "plugin"],
  gives: ["authChecked"],
  codes: ["AUTH_COMPONENT_UNKNOWN", "PLUGIN_MANIFEST_INVALID"],
  run({ document, plugin }) {
    refuse(check(plugin, document));
    return { authChecked: true };
  },
});
