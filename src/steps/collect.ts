import { defineStep } from "../pipeline/step.ts";
import { collectGarbage } from "../registry/gc.ts";

/** Removes what no kept generation names any more; the removed plugin's files stay as long as a rollback needs them. */
export const collect = defineStep({
  name: "collect",
  summary: "Remove install roots and schemas that no kept generation names.",
  needs: ["profile", "generation", "installed"],
  gives: [],
  codes: ["REGISTRY_LOCKED", "REGISTRY_IO"],
  async run({ profile, installed }, { host, signal, note }) {
    const { roots } = await collectGarbage(host, profile, {
      command: `plugin remove ${installed.name}`,
      signal,
    });
    note(`${roots.length} install roots removed`);
    return {};
  },
});
