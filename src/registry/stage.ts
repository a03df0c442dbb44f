import { createHash } from "node:crypto";
import { dirname, join } from "node:path/posix";
import { sha256 } from "../base/digest.ts";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host, OpenFile } from "../host/host.ts";
import type { TreeEntry } from "../model/install.ts";
import { writeFaults } from "./folders.ts";
import { readable, type SourceEntry, surveyTree, type TreeLimits, unsafe } from "./survey.ts";
import { sortedByPath } from "./tree.ts";

export interface CopyProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** What was copied, as it now lies in the target. */
export interface CopiedTree {
  readonly entries: readonly TreeEntry[];
  readonly fileCount: number;
  readonly totalBytes: number;
}

const blockBytes = 1 << 20;
const filesPerTurn = 64;

/**
 * Copies a source folder to a new folder with pinned modes, and hashes each file from the very bytes it writes.
 * Whatever fails, the target is gone again.
 */
export async function copyTree(
  host: Host,
  source: string,
  target: string,
  limits: TreeLimits,
  onProgress?: (progress: CopyProgress) => void,
  signal?: AbortSignal,
): Promise<CopiedTree> {
  const root = await sourceFolder(host, source);
  if (`${target}/`.startsWith(`${root}/`)) {
    throw unsafe(".", "holds gum's own folder, and so the copy would hold itself");
  }
  const { entries, totalBytes } = await surveyTree(host, root, limits, signal);
  await writable(target, async () => {
    await host.files.mkdir(dirname(target), { mode: 0o700, recursive: true });
    await host.files.mkdir(target, { mode: 0o700 });
  });
  try {
    return await copyEntries({ host, root, target, limits, entries, totalBytes, onProgress, signal });
  } catch (error) {
    await host.files.removeTree(target);
    throw error;
  }
}

interface Copy {
  readonly host: Host;
  readonly root: string;
  readonly target: string;
  readonly limits: TreeLimits;
  readonly entries: readonly SourceEntry[];
  readonly totalBytes: number;
  readonly onProgress: ((progress: CopyProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

async function copyEntries(copy: Copy): Promise<CopiedTree> {
  const { host, target, entries, signal, onProgress } = copy;
  const copied: TreeEntry[] = [];
  const folders: string[] = [];
  const block = new Uint8Array(Math.min(blockBytes, largestFile(entries) + 1));
  let bytes = 0;
  for (const entry of entries) {
    signal?.throwIfAborted();
    if (entry.facts.kind === "folder") folders.push(entry.path);
    const one = await writable(entry.path, () => copyEntry(copy, entry, block, copy.limits.maxBytes - bytes));
    bytes += one.kind === "file" ? one.size : 0;
    copied.push(one);
    if (copied.length % filesPerTurn === 0) {
      onProgress?.({ files: copied.length, totalFiles: entries.length, bytes, totalBytes: copy.totalBytes });
      await host.clock.sleep(0);
    }
  }
  // Deepest first: a folder that is closed no longer lets its own children be changed.
  for (const folder of ["", ...folders].reverse()) await host.files.chmod(join(target, folder), 0o555);
  onProgress?.({ files: copied.length, totalFiles: entries.length, bytes, totalBytes: copy.totalBytes });
  return { entries: sortedByPath(copied), fileCount: copied.length - folders.length, totalBytes: bytes };
}

async function copyEntry(
  copy: Copy,
  entry: SourceEntry,
  block: Uint8Array,
  room: number,
): Promise<TreeEntry> {
  const { path, facts } = entry;
  const to = join(copy.target, path);
  if (facts.kind === "folder") {
    await copy.host.files.mkdir(to, { mode: 0o700 });
    return { path, kind: "folder", mode: 0o555, size: 0, sha256: "" };
  }
  if (facts.kind === "link") {
    await copy.host.files.symlink(entry.target, to);
    const size = new TextEncoder().encode(entry.target).length;
    return { path, kind: "link", mode: 0o777, size, sha256: sha256(entry.target) };
  }
  const from = await readable(path, () => copy.host.files.open(join(copy.root, path), "read-no-follow"));
  try {
    return await copyFile(copy.host, entry, from, to, block, room);
  } finally {
    await from.close();
  }
}

async function copyFile(
  host: Host,
  entry: SourceEntry,
  from: OpenFile,
  to: string,
  block: Uint8Array,
  room: number,
): Promise<TreeEntry> {
  const { path, facts } = entry;
  const opened = await from.stat();
  // The same inode as in the survey: neither the file nor a folder above it was swapped in between.
  if (opened.kind !== "file" || opened.ino !== facts.ino || opened.dev !== facts.dev) {
    throw unsafe(path, "changed while it was copied");
  }
  const mode = (opened.mode & 0o111) === 0 ? 0o444 : 0o555;
  const into = await host.files.open(to, "write-new");
  try {
    const hash = createHash("sha256");
    let size = 0;
    for (;;) {
      const count = await readable(path, () => from.read(block, size));
      if (count === 0) break;
      size += count;
      if (size > room) throw unsafe(path, "grew beyond the size that a plugin may have while it was copied");
      const part = block.subarray(0, count);
      hash.update(part);
      await into.write(part);
    }
    await into.chmod(mode);
    return { path, kind: "file", mode, size, sha256: hash.digest("hex") };
  } finally {
    await into.close();
  }
}

async function sourceFolder(host: Host, source: string): Promise<string> {
  try {
    const root = await host.files.realpath(source);
    if ((await host.files.stat(root)).kind === "folder") return root;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) throw error;
  }
  throw new GumError("PLUGIN_FETCH_FAILED", "The plugin's source is not a folder that can be read.");
}

/** Runs a write to the target; a full disk or a closed folder is the registry's fault, not the plugin's. */
async function writable<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isErrno(error, "ENAMETOOLONG")) throw unsafe(path, "has too long a path");
    if (error instanceof GumError || !isErrno(error, ...writeFaults)) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "EIO";
    throw new GumError("REGISTRY_IO", `Cannot copy the plugin into the registry: ${code}.`, {
      details: { errno: code },
      cause: error,
    });
  }
}

function largestFile(entries: readonly SourceEntry[]): number {
  return entries.reduce((most, { facts }) => (facts.kind === "file" ? Math.max(most, facts.size) : most), 0);
}
