import { join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Files } from "../host/host.ts";
import { checkProfiles as check, type ProfileFile } from "../manifest/checks/profiles.ts";
import { maxManifestBytes } from "../manifest/read.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Every tool has an output profile or a reason to have none, and no profile hides nulls that matter. */
export const checkProfiles = defineStep({
  name: "check-profiles",
  summary: "Refuse tools without an output profile, and profiles that elide what may matter.",
  needs: ["document", "plugin", "folder", "schemas"],
  gives: ["profilesChecked"],
  codes: ["PROFILE_REQUIRED", "PROFILE_INVALID", "PROFILE_STRIP_NULLS_UNSAFE"],
  async run({ document, plugin, folder, schemas }, { host, warn }) {
    const { findings, warnings } = await check(
      plugin,
      document,
      await profileFiles(host.files, folder),
      schemas,
    );
    for (const warning of warnings) warn(warning);
    refuse(findings);
    return { profilesChecked: true };
  },
});

async function profileFiles(files: Files, folder: string): Promise<ProfileFile[]> {
  const names = await namesIn(files, join(folder, "profiles"));
  const found: ProfileFile[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith(".toml"))) {
    const file = `profiles/${name}`;
    try {
      found.push({
        file,
        text: await files.readText(join(folder, file), { maxBytes: maxManifestBytes, noFollow: true }),
      });
    } catch (error) {
      throw new GumError("PROFILE_INVALID", `The output profiles in ${file} cannot be read as text.`, {
        at: { file },
        cause: error,
      });
    }
  }
  return found;
}

async function namesIn(files: Files, folder: string): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}
