import { defineStep } from "../pipeline/step.ts";
import { verifyExecutable as verify } from "../registry/executable.ts";
import { checkSeal, sealFileOf } from "../registry/seal.ts";

/** Hashes the executable, with no cache, and checks the rest of the tree against its seal, before every spawn. */
export const verifyExecutable = defineStep({
  name: "verify-executable",
  summary: "Hash the executable again and check the installed files against their seal.",
  needs: ["resolved", "callable", "riskAccepted", "confirmed"],
  gives: ["verified"],
  codes: ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED"],
  async run({ resolved }, { host, signal, cleanup, note }) {
    const { lock } = resolved;
    const file = await verify(host, lock);
    cleanup.defer(() => file.close());
    const check = await checkSeal(
      host,
      {
        plugin: lock.name,
        root: lock.install_root,
        sealFile: sealFileOf(lock.install_root),
        treeSha256: lock.install_tree_sha256,
      },
      signal,
    );
    note(`sha256 ${lock.executable_sha256.slice(0, 12)}, ${check.entries} entries sealed`);
    return { verified: file };
  },
});
