import type { Finding } from "../../base/errors.ts";

/** What comes from elsewhere needs a LICENSE file among the names of its top folder (M37). */
export function checkLicense(
  names: readonly string[],
  from: "folder" | "archive" | "url" | "git",
): Finding[] {
  if (from === "folder" || names.some((name) => /^licen[cs]e/i.test(name))) return [];
  return [
    {
      code: "PLUGIN_MANIFEST_INVALID",
      message: `The ${from} has no LICENSE file.`,
      hint: "add a LICENSE file beside the manifest",
    },
  ];
}
