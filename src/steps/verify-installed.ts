import { defineStep } from "../pipeline/step.ts";
import { verifyExecutable } from "../registry/executable.ts";
import { checkSeal, sealFileOf } from "../registry/seal.ts";

/** Proves, before a trial starts anything, that the executable and the files beside it are those that were installed. */
export const verifyInstalled = defineStep({
  name: "verify-installed",
  summary: "Hash the executable again and check the installed files against their seal.",
  needs: ["installed", "keyAccepted"],
  gives: ["trialProgram"],
  codes: ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED"],
  async run({ installed }, { host, signal, cleanup, note }) {
    const file = await verifyExecutable(host, installed);
    cleanup.defer(() => file.close());
    if (installed.linked) {
      note("linked: it runs in place, and its files may change");
      return { trialProgram: file };
    }
    const { entries } = await checkSeal(
      host,
      {
        plugin: installed.name,
        root: installed.install_root,
        sealFile: sealFileOf(installed.install_root),
        treeSha256: installed.install_tree_sha256,
      },
      signal,
    );
    note(`sha256 ${installed.executable_sha256.slice(0, 12)}, ${entries} entries sealed`);
    return { trialProgram: file };
  },
});
