import { defineStep } from "../pipeline/step.ts";
import { rollbackChange } from "../registry/history.ts";

/** The next generation: plugins of the wanted one, claims and state of now (R10). */
export const composeRollback = defineStep({
  name: "compose-rollback",
  summary: "Compose the next generation from the wanted plugins and the present state.",
  needs: ["profile", "target", "rootsIntact"],
  gives: ["update"],
  codes: ["PLUGIN_NAMESPACE_CONFLICT"],
  run({ profile, target }) {
    return {
      update: {
        command: `plugin rollback --to ${target.to}`,
        change: rollbackChange(target.registry, profile),
        schemas: [],
      },
    };
  },
});
