import { join } from "node:path/posix";
import { defineStep } from "../pipeline/step.ts";
import { copyTree } from "../registry/stage.ts";
import { openStaging } from "../registry/staging.ts";
import { treeDigest } from "../registry/tree.ts";

const limits = { maxFiles: 100_000, maxBytes: 2 * 1024 ** 3 };

/** Copies the plugin with pinned modes into the folder where it will stay. Nothing of it has run yet. */
export const stage = defineStep({
  name: "stage",
  summary: "Copy the plugin into a new, read-only install root.",
  needs: [
    "source",
    "plugin",
    "profile",
    "safeText",
    "bindingsChecked",
    "cleanEnv",
    "credentialsChecked",
    "authChecked",
    "schemas",
    "profilesChecked",
    "claim",
    "executableFound",
    "consent",
  ],
  gives: ["staged"],
  codes: ["PLUGIN_ARCHIVE_UNSAFE", "PLUGIN_FETCH_FAILED", "REGISTRY_IO", "REGISTRY_LOCKED"],
  async run({ source, plugin, profile }, { host, signal, rollback, cleanup, note }) {
    const staging = await openStaging(host, profile, { command: `plugin install ${plugin.id}` });
    cleanup.defer(() => staging.close());
    const copied = await copyTree(host, source.path, join(staging.folder, "root"), limits, undefined, signal);
    const sourceSha256 = treeDigest(copied.entries);
    const installRoot = await staging.moveToRoot(profile, plugin.id, sourceSha256, "root");
    rollback.defer(() => staging.removeRoot(profile, installRoot));
    note(`${copied.fileCount} files, ${copied.totalBytes} bytes`);
    return {
      staged: {
        installRoot,
        sourceSha256,
        entries: copied.entries,
        scratch: staging.folder,
        txid: staging.txid,
      },
    };
  },
});
