// Looks at a source tree before anything is copied, and refuses what may not be part of a plugin (T5).
import { join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { FileFacts, Host } from "../host/host.ts";
import { foldedName, followLink, nameFault, printablePath } from "../model/entry-names.ts";

export interface TreeLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** One entry of the source, as it was when it was looked at. */
export interface SourceEntry {
  readonly path: string;
  readonly facts: FileFacts;
  /** Where a link points, as written in it. */
  readonly target: string;
}

/** What is to be copied; folders stand before what is in them. */
export interface Survey {
  readonly entries: readonly SourceEntry[];
  readonly totalBytes: number;
}

const maxDepth = 128;
const entriesPerTurn = 4096;

/**
 * Walks the tree below `root`, following no link; anything unsafe is PLUGIN_ARCHIVE_UNSAFE naming the entry. What
 * `skip` names is not looked at.
 */
export async function surveyTree(
  host: Host,
  root: string,
  limits: TreeLimits,
  signal?: AbortSignal,
  skip: (path: string) => boolean = () => false,
): Promise<Survey> {
  const entries: SourceEntry[] = [];
  let totalBytes = 0;
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const all = await readable(folder, () => host.files.list(join(root, folder)));
    const names = all.filter((name) => !skip(folder === "" ? name : `${folder}/${name}`));
    refuseLikeNames(folder, names);
    for (const name of names) {
      const path = folder === "" ? name : `${folder}/${name}`;
      refuseName(path, name);
      const entry = await look(host, root, path);
      entries.push(entry);
      if (entry.facts.kind === "folder") folders.push(path);
      if (entry.facts.kind === "file") totalBytes += entry.facts.size;
      refuseTooMuch(path, entries.length, totalBytes, limits);
      if (entries.length % entriesPerTurn === 0) {
        signal?.throwIfAborted();
        await host.clock.sleep(0);
      }
    }
  }
  refuseEscapingLinks(entries);
  return { entries, totalBytes };
}

/** The refusal of one entry. */
export function unsafe(path: string, why: string): GumError {
  return new GumError("PLUGIN_ARCHIVE_UNSAFE", `The entry "${printablePath(path)}" ${why}.`, {
    details: { entry: printablePath(path) },
  });
}

/** Runs a read of the source; what cannot be read is named. */
export async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isErrno(error, "ENAMETOOLONG")) throw unsafe(path, "has too long a path");
    if (isErrno(error, "ELOOP", "ENOENT", "ENOTDIR")) throw unsafe(path, "changed while it was copied");
    if (!isErrno(error, "EACCES", "EPERM", "EIO")) throw error;
    const named = path === "" ? "the folder itself" : `the entry "${printablePath(path)}"`;
    throw new GumError(
      "PLUGIN_FETCH_FAILED",
      `The plugin's source cannot be read: ${named} is not readable.`,
      {
        details: { entry: printablePath(path) },
        cause: error,
      },
    );
  }
}

async function look(host: Host, root: string, path: string): Promise<SourceEntry> {
  const facts = await readable(path, () => host.files.lstat(join(root, path)));
  if (facts.kind === "other") throw unsafe(path, "is a device, a FIFO or a socket");
  const target =
    facts.kind === "link" ? await readable(path, () => host.files.readlink(join(root, path))) : "";
  return { path, facts, target };
}

function refuseName(path: string, name: string): void {
  const fault = nameFault(name);
  if (fault !== undefined) throw unsafe(path, fault);
  if (path.split("/").length > maxDepth) throw unsafe(path, `lies more than ${maxDepth} folders deep`);
}

/** On other file systems such names are one file, and the last one copied would win. */
function refuseLikeNames(folder: string, names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const like = foldedName(name);
    const other = seen.get(like);
    const path = folder === "" ? name : `${folder}/${name}`;
    if (other !== undefined)
      throw unsafe(path, `differs from "${printablePath(other)}" only by case or Unicode form`);
    seen.set(like, name);
  }
}

function refuseTooMuch(path: string, count: number, bytes: number, limits: TreeLimits): void {
  if (count > limits.maxFiles)
    throw unsafe(path, `is one more than the ${limits.maxFiles} that a plugin may have`);
  if (bytes > limits.maxBytes) throw unsafe(path, `makes the plugin larger than ${limits.maxBytes} bytes`);
}

function refuseEscapingLinks(entries: readonly SourceEntry[]): void {
  const links = new Map(
    entries.flatMap(({ path, facts, target }) => (facts.kind === "link" ? [[path, target]] : [])),
  );
  for (const path of links.keys()) {
    const verdict = followLink(path, links);
    if (verdict === "outside") throw unsafe(path, "is a link that leaves the plugin's folder");
    if (verdict === "loop") throw unsafe(path, "is a link that leads back to itself");
  }
}
