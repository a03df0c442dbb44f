import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import { sha256 } from "../base/digest.ts";
import { GumError, isErrno } from "../base/errors.ts";
import type { FileFacts, Host } from "../host/host.ts";
import type { TreeEntry } from "../model/install.ts";

/** An entry together with what the file system said about it before its content was read. */
export interface SeenEntry extends TreeEntry {
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A whole tree, hashed. */
export interface HashedTree {
  readonly entries: readonly SeenEntry[];
  readonly sha256: string;
  /** Regular files and links. */
  readonly fileCount: number;
  readonly totalBytes: number;
}

/** How many entries are looked at before other work gets a turn. */
const entriesPerTurn = 4096;
const linesPerUpdate = 1024;

/** The digest of a tree over path, kind, mode, size and content of every entry, whatever their order. */
export function treeDigest(entries: readonly TreeEntry[]): string {
  const lines = sortedByPath(entries).map((entry) => {
    const { path, kind, mode, sha256: digest } = entry;
    return digestLine(path, `${kind} ${mode.toString(8)} ${kind === "folder" ? 0 : entry.size}`, digest);
  });
  return digestOfLines(lines);
}

/** What one entry adds to the digest. A path may hold any character but NUL, so NUL is what ends it. */
export function digestLine(path: string, kindModeSize: string, digest: string): string {
  return `${path}\0${kindModeSize} ${digest}\n`;
}

/** The digest over the lines of all entries, in the order of their paths. */
export function digestOfLines(lines: readonly string[]): string {
  const hash = createHash("sha256").update("gum-tree-1\n");
  for (let at = 0; at < lines.length; at += linesPerUpdate) {
    hash.update(lines.slice(at, at + linesPerUpdate).join(""));
  }
  return hash.digest("hex");
}

/** Reads and hashes everything below `root`; links are recorded by their target and never followed. */
export async function hashTree(
  host: Host,
  root: string,
  options: { signal?: AbortSignal | undefined; onProgress?: (done: number, total: number) => void } = {},
): Promise<HashedTree> {
  const seen = await walkTree(host, root, options.signal);
  const entries: SeenEntry[] = [];
  for (const { path, facts } of seen) {
    options.signal?.throwIfAborted();
    entries.push(seenEntry(path, facts, await contentDigest(host, root, path, facts)));
    if (entries.length % entriesPerTurn === 0) {
      options.onProgress?.(entries.length, seen.length);
      await host.clock.sleep(0);
    }
  }
  return { entries, sha256: treeDigest(entries), ...counts(entries) };
}

/** How many files and links, and how many bytes in them. */
export function counts(entries: readonly TreeEntry[]): { fileCount: number; totalBytes: number } {
  const files = entries.filter((entry) => entry.kind !== "folder");
  return { fileCount: files.length, totalBytes: files.reduce((sum, entry) => sum + entry.size, 0) };
}

/** Everything below `root` with its facts, folders before what is in them; nothing is opened. */
export async function walkTree(
  host: Host,
  root: string,
  signal?: AbortSignal,
): Promise<{ path: string; facts: FileFacts }[]> {
  const found: { path: string; facts: FileFacts }[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of await host.files.list(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const facts = await host.files.lstat(`${root}/${path}`);
      found.push({ path, facts });
      if (facts.kind === "folder") folders.push(path);
      if (found.length % entriesPerTurn === 0) {
        signal?.throwIfAborted();
        await host.clock.sleep(0);
      }
    }
  }
  return found;
}

/** SHA-256 of one entry's content, through a descriptor that is proven to be the entry that was seen. */
export async function contentDigest(
  host: Host,
  root: string,
  path: string,
  facts: FileFacts,
): Promise<string> {
  if (facts.kind === "folder") return "";
  if (facts.kind === "link") return sha256(await host.files.readlink(join(root, path)));
  if (facts.kind === "other") throw changedWhileReading(path);
  try {
    const file = await host.files.open(join(root, path), "read-no-follow");
    try {
      const opened = await file.stat();
      if (opened.ino !== facts.ino || opened.dev !== facts.dev) throw changedWhileReading(path);
      return await file.sha256();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "ENOTDIR")) throw changedWhileReading(path);
    throw error;
  }
}

/** Puts facts and content together. */
export function seenEntry(path: string, facts: FileFacts, digest: string): SeenEntry {
  return {
    path,
    kind: facts.kind === "folder" || facts.kind === "link" ? facts.kind : "file",
    mode: facts.kind === "link" ? 0o777 : facts.mode,
    size: facts.kind === "folder" ? 0 : facts.size,
    sha256: digest,
    ino: facts.ino,
    mtimeNs: facts.mtimeNs,
    ctimeNs: facts.ctimeNs,
  };
}

function changedWhileReading(path: string): GumError {
  return new GumError("PLUGIN_TREE_MODIFIED", `The file "${path}" of the plugin changed while it was read.`, {
    details: { path },
  });
}

/** By code unit, which is the same on every machine. */
export function sortedByPath<E extends { readonly path: string }>(entries: readonly E[]): E[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
