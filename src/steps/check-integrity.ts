import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { FileFacts, Host } from "../host/host.ts";
import { checkIntegrity as check, distHashOf } from "../manifest/checks/integrity.ts";
import type { DistFile } from "../manifest/dist-digest.ts";
import { defineStep } from "../pipeline/step.ts";
import { walkTree } from "../registry/tree.ts";
import { refuse } from "./refuse.ts";

const pieceBytes = 1 << 20;

/** The files below dist/ are those that the manifest declares by digest, count and size (M32). */
export const checkIntegrity = defineStep({
  name: "check-integrity",
  summary: "Compute the digests that the manifest declares, and compare.",
  needs: ["document", "plugin", "folder"],
  gives: ["integrity"],
  codes: ["PLUGIN_INTEGRITY_MISMATCH"],
  async run({ document, folder }, { host, signal, note }) {
    const declared = distHashOf(document);
    if (declared === null) {
      note("the manifest declares no digest");
      return { integrity: { dist: null } };
    }
    const root = join(folder, "dist");
    const found = await existing(() => walkTree(host, root, signal));
    const dist = new Map<string, string>();
    const files = found.flatMap(({ path, facts }) =>
      facts.kind === "folder" ? [] : [distFile(host, root, path, facts, dist, signal)],
    );
    refuse(await check(document, files));
    note(`${files.length} files below dist/ have the digest ${declared.slice(0, 19)}`);
    return { integrity: { dist } };
  },
});

/** A file of dist/ that leaves its own digest in `dist` when it has been read. */
function distFile(
  host: Host,
  root: string,
  path: string,
  facts: FileFacts,
  dist: Map<string, string>,
  signal: AbortSignal,
): DistFile {
  // A link would bring in bytes that no digest covers.
  if (facts.kind !== "file") throw mismatch(path, "is not a regular file, so no digest covers it");
  return {
    path,
    size: facts.size,
    async *read() {
      const hash = createHash("sha256");
      for await (const piece of pieces(host, root, path, facts, signal)) {
        hash.update(piece);
        yield piece;
      }
      dist.set(path, hash.digest("hex"));
    },
  };
}

async function* pieces(
  host: Host,
  root: string,
  path: string,
  facts: FileFacts,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const file = await orChanged(path, () => host.files.open(join(root, path), "read-no-follow"));
  try {
    const opened = await file.stat();
    if (opened.ino !== facts.ino || opened.dev !== facts.dev || opened.size !== facts.size)
      throw mismatch(path, "changed while it was read");
    const block = new Uint8Array(Math.min(pieceBytes, facts.size + 1));
    let done = 0;
    for (let count = -1; count !== 0; done += count) {
      signal.throwIfAborted();
      count = await file.read(block, done);
      if (count > 0) yield block.subarray(0, count);
    }
    if (done !== facts.size) throw mismatch(path, "changed while it was read");
  } finally {
    await file.close();
  }
}

async function existing<T>(walk: () => Promise<T[]>): Promise<T[]> {
  try {
    return await walk();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

async function orChanged<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) throw mismatch(path, "changed while it was read");
    if (isErrno(error, "EACCES", "EPERM")) throw mismatch(path, "cannot be read");
    throw error;
  }
}

function mismatch(path: string, why: string): GumError {
  return new GumError("PLUGIN_INTEGRITY_MISMATCH", `The file "dist/${path}" ${why}.`, {
    details: { path: `dist/${path}` },
  });
}
