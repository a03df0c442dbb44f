import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { foldersOf } from "../registry/folders.ts";
import { prepareStart } from "./start-plugin.ts";
import { missingCredentials } from "./trial.ts";

/** Settles the sandbox and the environment of a plugin that is about to be tried. */
export const prepareTrial = defineStep({
  name: "prepare-trial",
  summary: "Make the plugin's policy and its environment, from nothing.",
  needs: ["installed", "profile", "trialRequest", "trialProgram"],
  gives: ["trialStart"],
  codes: ["AUTH_REQUIRED", "PLUGIN_FS_WRITE_OUTSIDE_SANDBOX", "REGISTRY_IO"],
  async run({ installed, profile, trialRequest }, { host, note }) {
    const { plugin } = installed;
    const missing = missingCredentials(plugin, host.env);
    if (trialRequest.live && missing.length > 0) {
      throw new GumError("AUTH_REQUIRED", `The plugin "${plugin.id}" needs credentials for a live canary.`, {
        hint: `run \`gum plugin setup ${plugin.id}\``,
        details: { missing },
      });
    }
    const dataDir = join(foldersOf(profile).pluginData, installed.name);
    await host.files.mkdir(dataDir, { mode: 0o700, recursive: true });
    const trialStart = await prepareStart(host, profile, {
      plugin,
      installRoot: installed.install_root,
      argv: installed.argv_normalized,
      interpreter: installed.interpreter,
      grants: installed.granted_capabilities,
      dataDir,
    });
    note(`${Object.keys(trialStart.env).length} variables, network ${plugin.network ? "on" : "off"}`);
    return { trialStart };
  },
});
