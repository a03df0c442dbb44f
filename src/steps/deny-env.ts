import { checkEnv } from "../manifest/checks/env.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse environment names that no plugin may have. */
export const denyEnv = defineStep({
  name: "deny-env",
  summary: "Refuse environment names that no plugin may have.",
  needs: ["document", "plugin"],
  gives: ["cleanEnv"],
  codes: ["PLUGIN_ENV_PROHIBITED"],
  run({ document, plugin }) {
    refuse(checkEnv(plugin, document));
    return { cleanEnv: [...plugin.env_allow, ...plugin.needs_user_creds] };
  },
});
