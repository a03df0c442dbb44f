// A seal is a text file beside an install root: what the file system said about each file when its content was
// last known to be right. A file that still looks the same need not be read again; any other is hashed (T8).
//
//   gum-seal 1 <sealed at, ns> <tree sha256>
//   <kind> <mode> <size> <mtime ns> <ctime ns> <inode> <sha256> <path>
import { basename } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { FileFacts, Host } from "../host/host.ts";
import type { TreeEntry } from "../model/install.ts";
import {
  contentDigest,
  type HashedTree,
  hashTree,
  type SeenEntry,
  seenEntry,
  treeDigest,
  walkTree,
} from "./tree.ts";

/** Which tree is to be checked against what. */
export interface SealedTree {
  readonly plugin: string;
  readonly root: string;
  readonly sealFile: string;
  /** The digest in the lock; a seal that does not add up to it is worthless. */
  readonly treeSha256: string;
}

/** How a check went: how many entries there are, and how many had to be read. */
export interface SealCheck {
  readonly entries: number;
  readonly hashed: number;
  readonly refreshed: boolean;
}

interface SealLine {
  readonly looks: string;
  readonly entry: TreeEntry;
}
interface Seal {
  readonly sealedAtNs: bigint;
  readonly lines: ReadonlyMap<string, SealLine>;
}

/** A change so close to the sealing may have left every time stamp as it was. */
const racyNs = 2_000_000_000n;
const maxSealBytes = 1 << 28;
const maxNamed = 20;

/** Where the seal of an install root lies. */
export function sealFileOf(installRoot: string): string {
  return `${installRoot}.seal`;
}

/** Writes the seal of a tree that was just hashed. */
export async function writeSeal(host: Host, sealFile: string, tree: HashedTree): Promise<void> {
  const head = `gum-seal 1 ${BigInt(host.clock.now()) * 1_000_000n} ${tree.sha256}\n`;
  const lines = tree.entries.map(
    (entry) => `${looksOf(entry)} ${entry.sha256 || "-"} ${escaped(entry.path)}\n`,
  );
  await host.files.replace(sealFile, head + lines.join(""), { mode: 0o600 });
}

/** Proves that the tree is what was installed, reading only what looks different; else PLUGIN_TREE_MODIFIED. */
export async function checkSeal(host: Host, tree: SealedTree, signal?: AbortSignal): Promise<SealCheck> {
  const seal = await readSeal(host, tree);
  if (seal === undefined) return checkDeep(host, tree, signal);
  const found = await existing(tree, () => walkTree(host, tree.root, signal));
  const differences = new Differences();
  const entries: SeenEntry[] = [];
  let hashed = 0;
  for (const { path, facts } of found) {
    const sealed = seal.lines.get(path);
    if (sealed === undefined) {
      differences.added.push(path);
      continue;
    }
    const racy = facts.kind !== "folder" && facts.ctimeNs > seal.sealedAtNs - racyNs;
    if (!racy && looksOf(factsEntry(path, facts)) === sealed.looks) {
      entries.push(seenEntry(path, facts, sealed.entry.sha256));
      continue;
    }
    hashed++;
    const now = seenEntry(path, facts, await contentDigest(host, tree.root, path, facts));
    if (isSame(now, sealed.entry)) entries.push(now);
    else differences.changed.push(path);
  }
  if (found.length !== seal.lines.size || differences.any())
    differences.refuse(tree, seal.lines.keys(), found);
  const refreshed = hashed > 0 && (await refresh(host, tree, entries));
  return { entries: found.length, hashed, refreshed };
}

/** Hashes everything and compares; `gum plugin verify --deep`. The seal is written anew when it all fits. */
export async function checkDeep(host: Host, tree: SealedTree, signal?: AbortSignal): Promise<SealCheck> {
  const hashed = await existing(tree, () => hashTree(host, tree.root, { signal }));
  if (hashed.sha256 !== tree.treeSha256) {
    throw modified(tree, "does not have the digest that was installed", {
      expected_sha256: tree.treeSha256,
      actual_sha256: hashed.sha256,
    });
  }
  const refreshed = await refresh(host, tree, hashed.entries);
  return { entries: hashed.entries.length, hashed: hashed.entries.length, refreshed };
}

async function readSeal(host: Host, tree: SealedTree): Promise<Seal | undefined> {
  let text: string;
  try {
    text = await host.files.readText(tree.sealFile, { maxBytes: maxSealBytes, noFollow: true });
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "EFBIG") || error instanceof TypeError) return undefined;
    throw error;
  }
  return parseSeal(text, tree.treeSha256);
}

/** The seal, or undefined when it is damaged or not that of the tree that was installed. */
export function parseSeal(text: string, treeSha256: string): Seal | undefined {
  const rows = text.split("\n");
  const head = /^gum-seal 1 (\d+) [0-9a-f]{64}$/.exec(rows[0] ?? "");
  if (head?.[1] === undefined || rows.at(-1) !== "") return undefined;
  const lines = new Map<string, SealLine>();
  const entries: TreeEntry[] = [];
  for (let at = 1; at < rows.length - 1; at++) {
    const line = parseLine(rows[at] ?? "");
    if (line === undefined) return undefined;
    lines.set(line.entry.path, line);
    entries.push(line.entry);
  }
  return treeDigest(entries) === treeSha256 ? { sealedAtNs: BigInt(head[1]), lines } : undefined;
}

const lineRule = /^((file|link|folder) ([0-7]+) (\d+) \d+ \d+ \d+) (-|[0-9a-f]{64}) (.+)$/;

function parseLine(row: string): SealLine | undefined {
  const [, looks, kind, mode, size, digest, path] = lineRule.exec(row) ?? [];
  if (looks === undefined || path === undefined) return undefined;
  if (kind !== "file" && kind !== "link" && kind !== "folder") return undefined;
  const entry: TreeEntry = {
    path: unescaped(path),
    kind,
    mode: Number.parseInt(mode ?? "", 8),
    size: Number(size),
    sha256: digest === "-" ? "" : (digest ?? ""),
  };
  return { looks, entry };
}

/** What must stay as it is for a file to count as untouched; of a folder, only its mode. */
function looksOf(entry: Omit<SeenEntry, "sha256">): string {
  const { kind, mode, size, mtimeNs, ctimeNs, ino } = entry;
  if (kind === "folder") return `folder ${mode.toString(8)} 0 0 0 0`;
  return `${kind} ${mode.toString(8)} ${size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

function factsEntry(path: string, facts: FileFacts): SeenEntry {
  return seenEntry(path, facts, "");
}

function isSame(now: TreeEntry, sealed: TreeEntry): boolean {
  return (
    now.kind === sealed.kind &&
    now.mode === sealed.mode &&
    now.size === sealed.size &&
    now.sha256 === sealed.sha256
  );
}

/** A seal that cannot be rewritten costs time at the next check and nothing else. */
async function refresh(host: Host, tree: SealedTree, entries: readonly SeenEntry[]): Promise<boolean> {
  try {
    await writeSeal(host, tree.sealFile, { entries, sha256: tree.treeSha256, fileCount: 0, totalBytes: 0 });
    return true;
  } catch (error) {
    if (isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT")) return false;
    throw error;
  }
}

async function existing<T>(tree: SealedTree, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) throw modified(tree, "is not there any more", {});
    throw error;
  }
}

class Differences {
  readonly added: string[] = [];
  readonly changed: string[] = [];

  any(): boolean {
    return this.added.length + this.changed.length > 0;
  }

  refuse(tree: SealedTree, sealed: Iterable<string>, found: readonly { path: string }[]): never {
    const there = new Set(found.map(({ path }) => path));
    const removed = [...sealed].filter((path) => !there.has(path));
    const first =
      this.changed[0] !== undefined
        ? `has the changed file "${this.changed[0]}"`
        : this.added[0] !== undefined
          ? `has the added file "${this.added[0]}"`
          : `lacks the file "${removed[0]}"`;
    throw modified(tree, first, {
      changed: this.changed.slice(0, maxNamed),
      added: this.added.slice(0, maxNamed),
      removed: removed.slice(0, maxNamed),
    });
  }
}

function modified(tree: SealedTree, what: string, details: Readonly<Record<string, unknown>>): GumError {
  return new GumError("PLUGIN_TREE_MODIFIED", `The install root of plugin "${tree.plugin}" ${what}.`, {
    details: { plugin: tree.plugin, install_root: basename(tree.root), ...details },
  });
}

function escaped(path: string): string {
  return path.replace(/[\\\n]/g, (character) => (character === "\n" ? "\\n" : "\\\\"));
}

function unescaped(path: string): string {
  return path.includes("\\")
    ? path.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : "\\"))
    : path;
}
