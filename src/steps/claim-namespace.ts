import { checkNamespace } from "../manifest/checks/namespace.ts";
import { defineStep } from "../pipeline/step.ts";
import { claimNames } from "../registry/namespaces.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { refuse } from "./refuse.ts";

/** Proves the right to the plugin's id and prefix; publishing takes the claim, and checks it once more. */
export const claimNamespace = defineStep({
  name: "claim-namespace",
  summary: "Refuse reserved names, and names that belong to another owner.",
  needs: ["document", "plugin", "flags", "profile"],
  gives: ["claim"],
  codes: ["PLUGIN_NAMESPACE_CONFLICT", "POLICY_DENIED", "REGISTRY_IO"],
  async run({ document, plugin, flags, profile }, { host, note, warn }) {
    refuse(checkNamespace(plugin, document));
    const registry = await readRegistry(host, profile);
    const claim = claimNames(registry, plugin, {
      isDev: profile.isDev,
      overrideConflict: flags.devAllowNamespaceConflict,
    });
    for (const name of claim.overridden)
      warn({ message: `The name "${name}" belongs to another owner; this dev profile passes over it.` });
    note(`${claim.names.join(" and ")} for ${claim.owner}`);
    return { claim };
  },
});
