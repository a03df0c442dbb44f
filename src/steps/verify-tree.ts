import { defineStep } from "../pipeline/step.ts";
import { verifyExecutable } from "../registry/executable.ts";
import { checkDeep, checkSeal, sealFileOf } from "../registry/seal.ts";

/** Proves that an installed plugin is what was installed; `deep` reads every file, `seal` those that look touched. */
export const verifyTree = defineStep({
  name: "verify-tree",
  summary: "Hash the executable and compare every installed file with what was installed.",
  needs: ["installed", "depth", "keyAccepted"],
  gives: ["verification"],
  codes: ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED"],
  async run({ installed, depth }, { host, signal, note }) {
    if (installed.linked) {
      note("linked: it runs in place, and its files may change");
      return { verification: { entries: 0, hashed: 0 } };
    }
    const executable = await verifyExecutable(host, installed);
    await executable.close();
    const tree = {
      plugin: installed.name,
      root: installed.install_root,
      sealFile: sealFileOf(installed.install_root),
      treeSha256: installed.install_tree_sha256,
    };
    const check = depth === "deep" ? checkDeep : checkSeal;
    const { entries, hashed } = await check(host, tree, signal);
    note(`${entries} entries, ${hashed} of them read`);
    return { verification: { entries, hashed } };
  },
});
