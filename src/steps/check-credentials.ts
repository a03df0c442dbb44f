import { checkCredentials as check } from "../manifest/checks/credentials.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse credential names without exactly one descriptor each. */
export const checkCredentials = defineStep({
  name: "check-credentials",
  summary: "Refuse credential names without exactly one descriptor each.",
  needs: ["document", "plugin"],
  gives: ["credentialsChecked"],
  codes: ["PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID"],
  run({ document, plugin }) {
    refuse(check(plugin, document));
    return { credentialsChecked: true };
  },
});
