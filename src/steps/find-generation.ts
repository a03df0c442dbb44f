import { defineStep } from "../pipeline/step.ts";
import { findTarget } from "../registry/history.ts";

/** Reads the generation that the user wants back; without a number, the one before the last change. */
export const findGeneration = defineStep({
  name: "find-generation",
  summary: "Find the generation to go back to.",
  needs: ["profile", "rollbackTo"],
  gives: ["target"],
  codes: ["USAGE", "REGISTRY_IO"],
  async run({ profile, rollbackTo }, { host, note }) {
    const target = await findTarget(host, profile, rollbackTo ?? undefined);
    note(`generation ${target.to}, ${target.registry.lock.plugins.length} plugins`);
    return { target };
  },
});
