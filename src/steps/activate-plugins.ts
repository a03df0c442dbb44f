import { defineStep } from "../pipeline/step.ts";
import { activate } from "../registry/rows.ts";

/** The next generation with every installed, configured, non-quarantined plugin active as of now. */
export const activatePlugins = defineStep({
  name: "activate-plugins",
  summary: "Mark plugins that nothing stands against as active.",
  needs: ["profile"],
  gives: ["update"],
  codes: [],
  run(_, { host }) {
    const at = new Date(host.clock.now()).toISOString();
    return { update: { command: "activate", change: (registry) => activate(registry, at), schemas: [] } };
  },
});
