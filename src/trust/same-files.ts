import { GumError } from "../base/errors.ts";
import type { Integrity, TreeEntry } from "../model/install.ts";

/** Refuses a copy whose dist/ is not what was checked: nothing may change between the check and the copy. */
export function requireCheckedFiles(plugin: string, { dist }: Integrity, copied: readonly TreeEntry[]): void {
  if (dist === null) return;
  const inDist = copied.filter(({ path, kind }) => path.startsWith("dist/") && kind !== "folder");
  const found = new Map(
    inDist.map(({ path, kind, sha256 }) => [path.slice("dist/".length), `${kind} ${sha256}`]),
  );
  const paths = new Set([...dist.keys(), ...found.keys()]);
  const changed = [...paths].find((path) => found.get(path) !== `file ${dist.get(path)}`);
  if (changed === undefined) return;
  throw new GumError(
    "PLUGIN_INTEGRITY_MISMATCH",
    `The file "dist/${changed}" of plugin "${plugin}" changed after it was checked.`,
    { details: { path: `dist/${changed}` } },
  );
}
