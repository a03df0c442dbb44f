import { defineStep } from "../pipeline/step.ts";
import { requireIntact } from "../registry/history.ts";

/** Every plugin of the wanted generation still has its files, as they were installed. */
export const checkRoots = defineStep({
  name: "check-roots",
  summary: "Refuse to go back to plugins whose files are gone or changed.",
  needs: ["target"],
  gives: ["rootsIntact"],
  codes: ["PLUGIN_TREE_MODIFIED", "REGISTRY_IO"],
  async run({ target }, { host, signal, note }) {
    for (const row of target.registry.lock.plugins) {
      signal.throwIfAborted();
      await requireIntact(host, row);
    }
    note(`${target.registry.lock.plugins.length} install roots are intact`);
    return { rootsIntact: true };
  },
});
