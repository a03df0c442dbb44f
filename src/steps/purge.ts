import { join } from "node:path/posix";
import { defineStep } from "../pipeline/step.ts";
import { canaryPath } from "../registry/canaries.ts";
import { foldersOf, registryIo } from "../registry/folders.ts";
import { pluginLogPath } from "../registry/plugin-logs.ts";
import { forgetCredentials } from "./forget-credentials.ts";

/** Forgets the removed plugin's credentials and its data folder; without `--purge` both stay. */
export const purge = defineStep({
  name: "purge",
  summary: "Forget the removed plugin's credentials and data, if that was asked for.",
  needs: ["profile", "installed", "removal", "generation"],
  gives: ["purged"],
  codes: ["KEYCHAIN_UNAVAILABLE", "REGISTRY_IO"],
  async run({ profile, installed, removal }, { host, note }) {
    if (!removal.purge) {
      note("not wanted: credentials and data stay");
      return { purged: { credentials: [], data: false } };
    }
    const credentials = await forgetCredentials(host, profile, installed.plugin);
    const folder = join(foldersOf(profile).pluginData, installed.name);
    const data = await host.files.exists(folder);
    await registryIo(profile, "remove data beside", async () => {
      await host.files.removeTree(folder);
      await host.files.removeTree(canaryPath(profile, installed.name));
      await host.files.removeTree(pluginLogPath(profile, installed.name));
    });
    note(`${credentials.length} credentials${data ? " and its data" : ""} forgotten`);
    return { purged: { credentials, data } };
  },
});
