import { basename, dirname } from "node:path/posix";
import type { PathRule } from "./policy.ts";
import { liesWithin, protectedFrom, type Surroundings } from "./sensitive.ts";

/**
 * What an interpreter outside the system's folders needs: the root of its own installation (`…/bin/..`), but only
 * the single file when that root would open something protected, as `~/bin` would open the whole home.
 */
export function runtimeRules(realPaths: readonly string[], where: Surroundings): PathRule[] {
  return [...new Set(realPaths)].flatMap((path): PathRule[] => {
    const root = runtimeRoot(path);
    if (root === undefined) return [singleFile(path)];
    if (protectedFrom(root, where).some((inner) => liesWithin(inner, root))) return [singleFile(path)];
    return [{ path: root, access: "read-exec", kind: "folder", presence: "required" }, singleFile(path)];
  });
}

/** The folder above `bin`, undefined for a program that does not stand in one. */
export function runtimeRoot(path: string): string | undefined {
  const folder = dirname(path);
  if (basename(folder) !== "bin") return undefined;
  const root = dirname(folder);
  return root === "/" ? undefined : root;
}

/** The program alone. */
export function singleFile(path: string): PathRule {
  return { path, access: "read-exec", kind: "file", presence: "required" };
}
