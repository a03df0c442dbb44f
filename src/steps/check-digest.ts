import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";

/** The archive has the SHA-256 that the user named; nothing of it has been unpacked yet. */
export const checkDigest = defineStep({
  name: "check-digest",
  summary: "Compare the archive with the SHA-256 that the user named.",
  needs: ["source", "artifact"],
  gives: ["digestChecked"],
  codes: ["PLUGIN_CHECKSUM_MISMATCH"],
  run({ source, artifact }, { note }) {
    if (artifact.kind !== "archive") return { digestChecked: null };
    const expected = source.kind === "archive" || source.kind === "url" ? source.sha256 : undefined;
    if (expected !== undefined && expected !== artifact.sha256) {
      throw new GumError(
        "PLUGIN_CHECKSUM_MISMATCH",
        "The archive does not have the SHA-256 that was named.",
        {
          details: { expected_sha256: expected, actual_sha256: artifact.sha256 },
        },
      );
    }
    note(`sha256 ${artifact.sha256}${expected === undefined ? ", compared with nothing" : ""}`);
    return { digestChecked: artifact.sha256 };
  },
  otherwise({ artifact }) {
    if (artifact.kind !== "archive") return { digestChecked: null };
    throw new GumError(
      "PLUGIN_CHECKSUM_MISMATCH",
      "The pipeline does not compare the archive with its SHA-256.",
      {
        hint: "skip `check-digest` only for folders: `when: not-a-folder`",
      },
    );
  },
});
