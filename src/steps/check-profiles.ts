import { GumError, isErrno } from "../base/errors.ts";
import type { Files } from "../host/host.ts";
import { checkProfiles as check, type ProfileFile } from "../manifest/checks/profiles.ts";
import { maxManifestBytes } from "../manifest/read.ts";
import { defineStep } from "../pipeline/step.ts";
import { namesInside, readInside } from "./folder-files.ts";
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
  const names = await profileNames(files, folder);
  const found: ProfileFile[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith(".toml"))) {
    const file = `profiles/${name}`;
    try {
      found.push({
        file,
        text: textOf(await readInside(files, folder, file, { maxBytes: maxManifestBytes })),
      });
    } catch (error) {
      const link = isErrno(error, "ELOOP");
      const why = link ? "are behind a symbolic link, which gum does not follow" : "cannot be read as text";
      throw new GumError("PROFILE_INVALID", `The output profiles in ${file} ${why}.`, {
        at: { file },
        hint: link ? "put the file itself there" : "write the file as UTF-8 text of at most 1 MiB",
        cause: error,
      });
    }
  }
  return found;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

async function profileNames(files: Files, folder: string): Promise<string[]> {
  try {
    return await namesInside(files, folder, "profiles");
  } catch (error) {
    const leaves = isErrno(error, "EXDEV");
    const why = leaves ? "leads out of the plugin's folder by a link" : "cannot be read";
    throw new GumError("PROFILE_INVALID", `The folder profiles ${why}.`, {
      at: { file: "profiles" },
      hint: leaves ? "put the folder itself there" : "check the folder's permissions",
      cause: error,
    });
  }
}
