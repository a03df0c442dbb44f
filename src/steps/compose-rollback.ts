import type { Grants } from "../model/registry.ts";
import { defineStep } from "../pipeline/step.ts";
import { rollbackChange, withheldGrants } from "../registry/history.ts";
import { readRegistry } from "../registry/read-registry.ts";

/** The next generation: plugins of the wanted one, claims, state and grants of now (R10, T35). */
export const composeRollback = defineStep({
  name: "compose-rollback",
  summary: "Compose the next generation from the wanted plugins and the present state.",
  needs: ["profile", "target", "rootsIntact", "keysAccepted"],
  gives: ["update"],
  codes: ["PLUGIN_NAMESPACE_CONFLICT", "REGISTRY_IO"],
  async run({ profile, target }, { host, warn }) {
    for (const { plugin, grants } of withheldGrants(await readRegistry(host, profile), target.registry)) {
      warn({
        message: `"${plugin}" does not get back what you have taken from it since: ${grantWords(grants).join(", ")}`,
        hint: `grant it again with \`gum plugin grant ${plugin}\``,
      });
    }
    return {
      update: {
        command: `plugin rollback --to ${target.to}`,
        change: rollbackChange(target.registry, profile),
        schemas: [],
      },
    };
  },
});

function grantWords({ read, write, shm, capabilities }: Grants): string[] {
  return [
    ...read.map((path) => `read ${path}`),
    ...write.map((path) => `write ${path}`),
    ...(shm ? ["shared memory"] : []),
    ...capabilities.map((name) => `capability ${name}`),
  ];
}
