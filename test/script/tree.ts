import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every entry below a folder with its mode and content, for comparing before and after; times are left out. */
export function snapshotTree(
  root: string,
  leaveOut: readonly string[] = ["audit.jsonl", "audit.lock"],
): Record<string, string> {
  const entries: Record<string, string> = {};
  const visit = (relative: string): void => {
    const path = join(root, relative);
    const facts = lstatSync(path);
    const mode = (facts.mode & 0o7777).toString(8);
    if (facts.isSymbolicLink()) entries[relative] = `link to ${readlinkSync(path)}`;
    else if (facts.isDirectory()) {
      entries[`${relative}/`] = `folder ${mode}`;
      for (const name of readdirSync(path).toSorted())
        if (!leaveOut.includes(name)) visit(join(relative, name));
    } else if (facts.isFile())
      entries[relative] = `file ${mode} ${Bun.hash(readFileSync(path))} ${facts.size}`;
    else entries[relative] = "something else";
  };
  try {
    visit(".");
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      error.code === "ENOENT" &&
      Object.keys(entries).length === 0
    )
      return {};
    throw error;
  }
  return entries;
}
