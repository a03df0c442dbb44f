import { join } from "node:path/posix";
import { packageLimitsOf } from "../model/profile.ts";
import { defineStep } from "../pipeline/step.ts";
import { type CopyProgress, copyTree } from "../registry/stage.ts";
import { openStaging } from "../registry/staging.ts";
import { treeDigest } from "../registry/tree.ts";
import { requireCheckedFiles } from "../trust/same-files.ts";

/** Copies the plugin with pinned modes into the folder where it will stay. Nothing of it has run yet. */
export const stage = defineStep({
  name: "stage",
  summary: "Copy the plugin into a new, read-only install root.",
  needs: [
    "folder",
    "staging",
    "plugin",
    "packageChecked",
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
    "integrity",
    "signature",
    "consent",
  ],
  gives: ["staged"],
  codes: [
    "PLUGIN_ARCHIVE_UNSAFE",
    "PLUGIN_FETCH_FAILED",
    "PLUGIN_INTEGRITY_MISMATCH",
    "REGISTRY_IO",
    "REGISTRY_LOCKED",
  ],
  async run(input, { host, signal, rollback, cleanup, note, progress }) {
    const { folder, plugin, profile } = input;
    const staging =
      input.staging ?? (await openStaging(host, profile, { command: `plugin install ${plugin.id}` }));
    if (input.staging === null) cleanup.defer(() => staging.close());
    const tell = ({ files, totalFiles }: CopyProgress): void => progress("copying", files, totalFiles);
    const limits = packageLimitsOf(profile);
    const copied = await copyTree(host, folder, join(staging.folder, "root"), limits, tell, signal);
    requireCheckedFiles(plugin.id, input.integrity, copied.entries);
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
