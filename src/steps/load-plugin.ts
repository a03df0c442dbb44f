import { GumError } from "../base/errors.ts";
import { nearest } from "../base/suggest.ts";
import type { LockRow, Registry } from "../model/registry.ts";
import { defineStep } from "../pipeline/step.ts";
import { readRegistry } from "../registry/read-registry.ts";

/** Reads the lock row of the plugin that the user named. */
export const loadPlugin = defineStep({
  name: "load-plugin",
  summary: "Find the installed plugin.",
  needs: ["profile", "pluginId"],
  gives: ["installed"],
  codes: ["PLUGIN_NOT_FOUND", "REGISTRY_IO"],
  async run({ profile, pluginId }, { host, note }) {
    const installed = findPlugin(await readRegistry(host, profile), pluginId);
    note(`${installed.name} ${installed.version}`);
    return { installed };
  },
});

/** The lock row of a plugin, or PLUGIN_NOT_FOUND with the nearest id. */
export function findPlugin(registry: Registry, id: string): LockRow {
  const row = registry.lock.plugins.find((candidate) => candidate.name === id);
  if (row !== undefined) return row;
  const near = nearest(
    id,
    registry.lock.plugins.map((candidate) => candidate.name),
  );
  throw new GumError("PLUGIN_NOT_FOUND", `No plugin "${id}" is installed in this profile.`, {
    hint: near === undefined ? undefined : `did you mean "${near}"? see \`gum plugin list\``,
  });
}
