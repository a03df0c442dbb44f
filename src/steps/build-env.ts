import type { Built, Staged } from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import { defineStep } from "../pipeline/step.ts";

/** Builds a Python project's environment where it will stay, confined, and binds its script to its own python. */
export const buildEnv = defineStep({
  name: "build-env",
  summary: "Build the virtual environment of a Python project, in a sandbox with the network.",
  needs: ["plugin", "profile", "staged", "consent", "executableFound"],
  gives: ["built"],
  codes: [
    "PLUGIN_BUILD_FAILED",
    "PLUGIN_TREE_MODIFIED",
    "PLUGIN_EXECUTABLE_UNTRUSTED",
    "PLUGIN_SANDBOX_UNSUPPORTED",
    "PLUGIN_MANIFEST_INVALID",
    "SERVICE_DOWN",
    "REGISTRY_IO",
  ],
  async run({ plugin, profile, staged, executableFound }, tools) {
    if (executableFound === "file") return { built: asStaged(plugin, staged) };
    // Most plugins need none of this.
    const { buildEnvironment } = await import("./build-environment.ts");
    return { built: await buildEnvironment({ plugin, profile, staged }, tools) };
  },
  otherwise: ({ plugin, staged }) => ({ built: asStaged(plugin, staged) }),
});

function asStaged(plugin: Plugin, { entries }: Staged): Built {
  return { entries, program: plugin.command[0] ?? "", python: null };
}
