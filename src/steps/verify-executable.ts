import type { SessionOwner } from "../model/call-runtime.ts";
import type { LockRow } from "../model/registry.ts";
import { defineStep } from "../pipeline/step.ts";
import { verifyExecutable as verify } from "../registry/executable.ts";
import { checkSeal, sealFileOf } from "../registry/seal.ts";
import { standIn } from "./skipped.ts";

/**
 * Hashes the executable, with no cache, and checks the rest of the tree against its seal, before every spawn. A
 * process that a server keeps running was verified when it was started.
 */
export const verifyExecutable = defineStep({
  name: "verify-executable",
  summary: "Hash the executable again and check the installed files against their seal.",
  needs: [
    "resolved",
    "runtime",
    "callable",
    "riskAccepted",
    "argsValid",
    "confirmed",
    "rateAllowed",
    "cached",
    "auditReady",
  ],
  gives: ["verified"],
  codes: ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED", "RATE_LIMITED", "PIPELINE_INVALID"],
  skippableBy: ["not-cached"],
  async run({ resolved, runtime }, { host, signal, cleanup, note }) {
    const { lock } = resolved;
    const lent = await runtime.sessions.borrow(ownerOf(lock), signal);
    if (lent !== undefined) {
      cleanup.defer(() => lent.release());
      note("runs, verified when it was started");
      return { verified: { how: "running", lent } };
    }
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
    return { verified: { how: "hashed", file } };
  },
  otherwise({ cached }) {
    standIn("verify-executable", cached);
    return { verified: { how: "unneeded" } };
  },
});

/** Whose session it is: a reinstall has another root, and is another owner. */
export function ownerOf({
  name,
  version,
  install_root,
  granted_capabilities,
  plugin,
}: LockRow): SessionOwner {
  return {
    plugin: name,
    version,
    installRoot: install_root,
    terms: JSON.stringify(granted_capabilities),
    oneShot: plugin.shape === "handshake-plugin",
  };
}
