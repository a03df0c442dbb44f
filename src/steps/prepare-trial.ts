import { join } from "node:path/posix";
import { defineStep } from "../pipeline/step.ts";
import { foldersOf } from "../registry/folders.ts";
import { prepareStart } from "./start-plugin.ts";

/** Settles the sandbox and the environment of a plugin that is about to be tried. */
export const prepareTrial = defineStep({
  name: "prepare-trial",
  summary: "Make the plugin's policy and its environment, from nothing.",
  needs: ["installed", "profile", "trialProgram", "trialCredentials"],
  gives: ["trialStart"],
  codes: ["PLUGIN_FS_WRITE_OUTSIDE_SANDBOX", "REGISTRY_IO"],
  async run({ installed, profile, trialCredentials }, { host, note }) {
    const { plugin } = installed;
    const dataDir = join(foldersOf(profile).pluginData, installed.name);
    await host.files.mkdir(dataDir, { mode: 0o700, recursive: true });
    const trialStart = await prepareStart(host, profile, {
      plugin,
      installRoot: installed.install_root,
      argv: installed.argv_normalized,
      interpreter: installed.interpreter,
      grants: installed.granted_capabilities,
      dataDir,
      credentials: trialCredentials,
    });
    note(`${Object.keys(trialStart.env).length} variables, network ${plugin.network ? "on" : "off"}`);
    return { trialStart };
  },
});
