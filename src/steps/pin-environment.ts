import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { FileFacts, Host } from "../host/host.ts";
import { followLink } from "../model/entry-names.ts";
import type { Staged, TreeEntry } from "../model/install.ts";
import { hashTree, treeDigest, walkTree } from "../registry/tree.ts";
import { isNativeProgram } from "../source/find-program.ts";
import { unpackLimits } from "../source/limits.ts";

export interface BuiltEnvironment {
  readonly plugin: string;
  readonly staged: Staged;
  /** Name of the environment's folder in the install root. */
  readonly name: string;
  /** The real path of the base interpreter, the only thing outside that a link may lead to. */
  readonly interpreter: string;
}

/**
 * Closes a new environment: the modes of T5, no link but into it or to the base interpreter. Returns everything in the
 * install root as it will be hashed, after proving that the build changed nothing else there.
 */
export async function pinEnvironment(
  host: Host,
  built: BuiltEnvironment,
  signal: AbortSignal,
): Promise<readonly TreeEntry[]> {
  const { staged, name } = built;
  const environment = join(staged.installRoot, name);
  const found = await walkTree(host, environment, signal);
  refuseTooMuch(built, found);
  await checkLinks(host, built, found);
  for (const { path, facts } of [...found].reverse()) await pin(host, environment, path, facts);
  await host.files.chmod(environment, 0o555);
  const { entries } = await hashTree(host, staged.installRoot, { signal });
  const rest = entries.filter(({ path }) => path !== name && !path.startsWith(`${name}/`));
  if (treeDigest(rest) !== treeDigest(staged.entries)) {
    throw new GumError(
      "PLUGIN_TREE_MODIFIED",
      `The files of "${built.plugin}" changed while they were built.`,
    );
  }
  return entries.map(({ path, kind, mode, size, sha256 }) => ({ path, kind, mode, size, sha256 }));
}

type Found = readonly { readonly path: string; readonly facts: FileFacts }[];

function refuseTooMuch(built: BuiltEnvironment, found: Found): void {
  const bytes = found.reduce((sum, { facts }) => sum + (facts.kind === "file" ? facts.size : 0), 0);
  if (found.length + built.staged.entries.length > unpackLimits.entries)
    throw unfit(built, `has more than ${unpackLimits.entries} files`);
  if (bytes > unpackLimits.bytes) throw unfit(built, `is larger than ${unpackLimits.bytes} bytes`);
}

async function checkLinks(host: Host, built: BuiltEnvironment, found: Found): Promise<void> {
  const environment = join(built.staged.installRoot, built.name);
  const links = new Map<string, string>();
  for (const { path, facts } of found) {
    if (facts.kind === "other") throw unfit(built, `holds "${path}", which is no regular file`);
    if (facts.kind === "link") links.set(path, await host.files.readlink(join(environment, path)));
  }
  for (const path of links.keys()) {
    if (followLink(path, links) === "inside") continue;
    const real = await realOf(host, join(environment, path));
    if (real !== built.interpreter) throw unfit(built, `holds "${path}", a link that leaves it`);
  }
}

async function realOf(host: Host, path: string): Promise<string | undefined> {
  return (await host.files.exists(path)) ? host.files.realpath(path).catch(() => undefined) : undefined;
}

/** A confined build cannot set modes, so what is a program is told by its place or by its first bytes. */
async function pin(host: Host, environment: string, path: string, facts: FileFacts): Promise<void> {
  if (facts.kind === "link") return;
  const full = join(environment, path);
  const executable =
    facts.kind === "folder" ||
    (facts.mode & 0o111) !== 0 ||
    path.startsWith("bin/") ||
    (!/\.so\b/.test(path) && (await isNativeProgram(host, full)));
  await host.files.chmod(full, executable ? 0o555 : 0o444);
}

function unfit(built: BuiltEnvironment, why: string): GumError {
  return new GumError("PLUGIN_BUILD_FAILED", `The environment of "${built.plugin}" ${why}.`);
}
