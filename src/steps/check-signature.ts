import { distHashOf, signaturesOf } from "../manifest/checks/integrity.ts";
import type { ManifestDocument } from "../model/document.ts";
import { defineStep } from "../pipeline/step.ts";
import { readDetached } from "../trust/detached.ts";
import {
  demandSignature,
  judgeDetached,
  judgeSignature,
  settle,
  type Trust,
  type Verdict,
} from "../trust/judge.ts";
import { readTrust } from "../trust/key-store.ts";

/** Who vouches for the package: signatures of the archive beside it, and of dist/ in the manifest (T27). */
export const checkSignature = defineStep({
  name: "check-signature",
  summary: "Check the package's signatures by the keys that this profile trusts.",
  // A signature in the manifest is over dist.hash, which means nothing before the files were found to have it.
  needs: ["document", "plugin", "profile", "source", "digestChecked", "integrity"],
  gives: ["signature"],
  codes: ["PLUGIN_SIGNATURE_REQUIRED", "PLUGIN_SIGNATURE_INVALID", "CONFIG_INVALID"],
  async run({ document, plugin, profile, source, digestChecked }, { host, note, warn }) {
    const trust = await readTrust(host, profile.configDir);
    const detached =
      source.kind === "archive" && digestChecked !== null
        ? [judgeDetached(await readDetached(host.files, source.path), `sha256:${digestChecked}`, trust)]
        : [];
    const verdict = settle([...detached, ...judgeManifest(document, trust)]);
    const what = `the plugin "${plugin.id}"`;
    const { signature, warnings } = demandSignature(verdict, what, profile.requireSignatures);
    for (const warning of warnings) warn(warning);
    note(signature.verified ? `signed by the key ${signature.keyId}` : verdict.state);
    return { signature };
  },
});

function judgeManifest(document: ManifestDocument, trust: Trust): Verdict[] {
  const digest = distHashOf(document);
  return signaturesOf(document).map((signature) =>
    digest === null
      ? {
          state: "untrusted",
          keyId: signature.keyId,
          reason: "is over no digest: the manifest has no dist.hash",
        }
      : judgeSignature({ ...signature, digest }, trust),
  );
}
