import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { statusOf } from "../registry/rows.ts";
import { viewPlugin } from "../registry/snapshot.ts";
import { findPlugin } from "./load-plugin.ts";

/**
 * Finds the plugin that is asked. Prompts and resources are read and take no arguments of a schema, so the gates for
 * those have nothing to refuse; `ask` is the only pipeline that this step belongs to.
 */
export const resolvePlugin = defineStep({
  name: "resolve-plugin",
  summary: "Find the plugin that is asked for a prompt or a resource.",
  needs: ["question", "runtime"],
  gives: ["resolved", "riskAccepted", "argsValid", "confirmed", "cached"],
  codes: ["PLUGIN_NOT_FOUND", "OP_NOT_FOUND", "REGISTRY_IO"],
  async run({ question, runtime }, { note }) {
    const registry = await runtime.registry();
    const lock = findPlugin(registry, question.plugin);
    const { state, variants = [], metadataWarning } = viewPlugin(registry, lock.name) ?? {};
    const [variant] = variants;
    if (state === undefined) {
      throw new GumError("REGISTRY_IO", `The registry files disagree about plugin "${lock.name}".`);
    }
    if (variant === undefined) {
      throw new GumError("OP_NOT_FOUND", `The plugin "${lock.name}" has nothing that can be called.`);
    }
    note(`${lock.name} ${lock.version}`);
    const resolved = {
      variant,
      lock,
      state,
      status: runtime.statusOf(registry, lock.name) ?? statusOf(state),
      pins: new Map(variants.map((row) => [row.binding.tool_name, row.tool_sha256])),
      metadataWarning,
      addressedBy: "plugin",
    } as const;
    return { resolved, riskAccepted: true, argsValid: true, confirmed: true, cached: { use: "off" } };
  },
});
