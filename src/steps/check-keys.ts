import { defineStep } from "../pipeline/step.ts";
import { refuseRevokedKey } from "../trust/key-store.ts";

/** No plugin of the wanted generation was signed by a key that has been revoked since. */
export const checkKeys = defineStep({
  name: "check-keys",
  summary: "Refuse to go back to plugins whose signing key was revoked.",
  needs: ["profile", "target", "rootsIntact"],
  gives: ["keysAccepted"],
  codes: ["PLUGIN_SIGNATURE_INVALID", "CONFIG_INVALID"],
  async run({ profile, target }, { host }) {
    for (const row of target.registry.lock.plugins) await refuseRevokedKey(host, profile.configDir, row);
    return { keysAccepted: true };
  },
});
