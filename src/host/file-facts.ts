import type { BigIntStats } from "node:fs";
import type { FileFacts } from "./host.ts";

/** The facts that gum uses, out of what stat answers. */
export function factsOf(stats: BigIntStats): FileFacts {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    ino: stats.ino,
    dev: stats.dev,
    nlink: Number(stats.nlink),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
  };
}

function kindOf(stats: BigIntStats): FileFacts["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  return "other";
}
