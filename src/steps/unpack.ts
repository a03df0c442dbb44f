import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Artifact } from "../model/install.ts";
import { packageLimitsOf } from "../model/profile.ts";
import { defineStep } from "../pipeline/step.ts";
import { surveyTree } from "../registry/survey.ts";
import { unpackLimits } from "../source/limits.ts";

/** Makes a folder of what was fetched, and refuses what may not be in it. */
export const unpack = defineStep({
  name: "unpack",
  summary: "Unpack the archive into the staging folder; refuse what would leave it, and bombs.",
  needs: ["artifact", "staging", "digestChecked", "profile"],
  gives: ["folder"],
  codes: ["PLUGIN_ARCHIVE_UNSAFE", "PLUGIN_FETCH_FAILED", "REGISTRY_IO"],
  async run({ artifact, staging, profile }, { host, signal, note, progress }) {
    const limits = packageLimitsOf(profile);
    if (artifact.kind !== "archive" || staging === null) {
      // Links that leave the tree are refused before anything in it is read.
      if (artifact.kind === "checkout") await surveyTree(host, artifact.path, limits, signal);
      return { folder: folderOf(artifact) };
    }
    const { unpackArchive } = await import("../source/unpack.ts");
    const unpacked = await unpackArchive(host, {
      archive: artifact.path,
      target: join(staging.folder, "unpacked"),
      signal,
      limits: { ...unpackLimits, entries: limits.maxFiles, bytes: limits.maxBytes },
      onProgress: (done, total) => progress("unpacking", done, total),
    });
    note(`${unpacked.entries} entries, ${unpacked.bytes} bytes`);
    return { folder: unpacked.folder };
  },
  otherwise: ({ artifact }) => ({ folder: folderOf(artifact) }),
});

function folderOf(artifact: Artifact): string {
  if (artifact.kind !== "archive") return artifact.path;
  throw new GumError("PLUGIN_FETCH_FAILED", "The pipeline does not unpack the archive.", {
    hint: "skip `unpack` only for folders: `when: not-a-folder`",
  });
}
