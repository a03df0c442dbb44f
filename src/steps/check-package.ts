import type { Finding } from "../base/errors.ts";
import { isErrno } from "../base/errors.ts";
import { checkLicense } from "../manifest/checks/license.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** A package from elsewhere has a licence, and an archive the checksum that its manifest names. */
export const checkPackage = defineStep({
  name: "check-package",
  summary: "Refuse a package without a licence, or with another checksum than its manifest names.",
  needs: ["source", "folder", "plugin", "digestChecked"],
  gives: ["packageChecked"],
  codes: ["PLUGIN_MANIFEST_INVALID", "PLUGIN_CHECKSUM_MISMATCH"],
  async run({ source, folder, plugin, digestChecked }, { host }) {
    refuse(checkLicense(await namesIn(() => host.files.list(folder)), source.kind));
    refuse(checkChecksum(plugin.package.checksum, digestChecked));
    return { packageChecked: true };
  },
});

/** A folder and a commit have no archive to compare (T33). */
function checkChecksum(declared: string, actual: string | null): Finding[] {
  const expected = declared.replace(/^sha256:/i, "").toLowerCase();
  if (expected === "" || actual === null || expected === actual) return [];
  return [
    {
      code: "PLUGIN_CHECKSUM_MISMATCH",
      message: "The archive does not have the checksum that its manifest names.",
      path: "package.checksum",
    },
  ];
}

async function namesIn(list: () => Promise<string[]>): Promise<string[]> {
  try {
    return await list();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return [];
    throw error;
  }
}
