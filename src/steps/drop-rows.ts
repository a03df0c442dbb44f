import { defineStep } from "../pipeline/step.ts";
import { removePlugin } from "../registry/rows.ts";

/** The next generation without the plugin; who owns its names stays recorded. */
export const dropRows = defineStep({
  name: "drop-rows",
  summary: "Leave the plugin out of the next generation; keep its namespace claim.",
  needs: ["installed", "removalConfirmed"],
  gives: ["update"],
  codes: ["PLUGIN_NOT_FOUND"],
  run({ installed }) {
    return {
      update: {
        command: `plugin remove ${installed.name}`,
        change: (registry) => removePlugin(registry, installed.name),
        schemas: [],
      },
    };
  },
});
