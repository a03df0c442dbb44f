import { join } from "node:path/posix";
import { defineStep } from "../pipeline/step.ts";
import { foldersOf } from "../registry/folders.ts";
import { standIn, unproven } from "./skipped.ts";
import { prepareStart } from "./start-plugin.ts";

/** Builds the plugin's environment from nothing; denied names are gone whoever asked for them. */
export const scrubEnv = defineStep({
  name: "scrub-env",
  summary: "Make the plugin's policy and its environment, from nothing.",
  needs: ["resolved", "profile", "callable", "cached", "verified", "credentials"],
  gives: ["prepared"],
  codes: ["PLUGIN_FS_WRITE_OUTSIDE_SANDBOX", "REGISTRY_IO", "PIPELINE_INVALID"],
  skippableBy: ["not-cached"],
  async run({ resolved, profile, verified, credentials }, { host, note }) {
    if (verified.how === "running") {
      note("as when it was started");
      return { prepared: null };
    }
    if (credentials === null) throw unproven("scrub-env", "resolve-credentials");
    const { lock } = resolved;
    const dataDir = join(foldersOf(profile).pluginData, lock.name);
    await host.files.mkdir(dataDir, { mode: 0o700, recursive: true });
    const prepared = await prepareStart(host, profile, {
      plugin: lock.plugin,
      installRoot: lock.install_root,
      argv: lock.argv_normalized,
      interpreter: lock.interpreter,
      grants: lock.granted_capabilities,
      dataDir,
      credentials,
    });
    note(`${Object.keys(prepared.env).length} variables, network ${lock.plugin.network ? "on" : "off"}`);
    return { prepared };
  },
  otherwise({ cached }) {
    standIn("scrub-env", cached);
    return { prepared: null };
  },
});
