import { defineStep } from "../pipeline/step.ts";
import { refuseRevokedKey } from "../trust/key-store.ts";

/** Refuses a plugin whose signing key has been revoked since it was installed. */
export const verifyKey = defineStep({
  name: "verify-key",
  summary: "Refuse a plugin that a since revoked key has signed.",
  needs: ["profile", "installed"],
  gives: ["keyAccepted"],
  codes: ["PLUGIN_SIGNATURE_INVALID", "CONFIG_INVALID"],
  async run({ profile, installed }, { host, note }) {
    await refuseRevokedKey(host, profile.configDir, installed);
    note(installed.signature.key_id ?? "not signed");
    return { keyAccepted: true };
  },
});
