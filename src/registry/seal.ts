// Whether an installed tree is still the one that was installed. A file that looks as it did when it was sealed is not
// read again; any other is hashed (T8).
import { basename, join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { FileFacts, Host } from "../host/host.ts";
import { lastingOf, looksOf, parseSeal, type Seal, sealText } from "./seal-text.ts";
import { contentDigest, type HashedTree, hashTree, type SeenEntry, seenEntry } from "./tree.ts";

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

/** A change so close to the sealing may have left every time stamp as it was. */
const racyNs = 2_000_000_000n;
const maxSealBytes = 1 << 28;
const maxNamed = 20;
const entriesPerTurn = 4096;

/** Where the seal of an install root lies. */
export function sealFileOf(installRoot: string): string {
  return `${installRoot}.seal`;
}

/** Writes the seal of a tree that was just hashed. */
export async function writeSeal(
  host: Host,
  sealFile: string,
  tree: Pick<HashedTree, "entries" | "sha256">,
): Promise<void> {
  await host.files.replace(sealFile, sealText(tree, host.clock.now()), { mode: 0o600 });
}

/** Proves that the tree is what was installed, reading only what looks different; else PLUGIN_TREE_MODIFIED. */
export async function checkSeal(host: Host, tree: SealedTree, signal?: AbortSignal): Promise<SealCheck> {
  const seal = await readSeal(host, tree);
  if (seal === undefined) return checkDeep(host, tree, signal);
  const look = await existing(tree, () => lookAround(host, tree.root, seal, signal));
  const changed: string[] = [];
  for (const { path, facts } of look.doubtful) {
    const sealed = seal.lines.get(path);
    const digest = await contentDigest(host, tree.root, path, facts);
    if (sealed?.lasting !== lastingOf(looksOf(facts)) || digest !== sealed.sha256) changed.push(path);
  }
  if (look.added.length + changed.length > 0 || look.seen.length !== seal.lines.size) {
    throw differing(tree, seal, look, changed);
  }
  const hashed = look.doubtful.filter(({ facts }) => facts.kind !== "folder").length;
  if (look.doubtful.length === 0) return { entries: look.seen.length, hashed, refreshed: false };
  const entries = look.seen.map(({ path, facts }) =>
    seenEntry(path, facts, seal.lines.get(path)?.sha256 ?? ""),
  );
  return { entries: entries.length, hashed, refreshed: await refresh(host, tree, entries) };
}

interface Seen {
  readonly path: string;
  readonly facts: FileFacts;
}
interface Look {
  readonly seen: Seen[];
  /** Entries that look different, or may have been changed without looking so. */
  readonly doubtful: Seen[];
  readonly added: string[];
}

/** Looks at every entry; a folder that looks untouched still has the names that the seal knows, and is not listed. */
async function lookAround(host: Host, root: string, seal: Seal, signal?: AbortSignal): Promise<Look> {
  const look: Look = { seen: [], doubtful: [], added: [] };
  const folders: { path: string; untouched: boolean }[] = [{ path: "", untouched: false }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const paths = folder.untouched
      ? (seal.children.get(folder.path) ?? [])
      : await listPaths(host, root, folder.path);
    for (const path of paths) {
      const facts = await host.files.lstat(`${root}/${path}`);
      const sealed = seal.lines.get(path);
      const untouched = sealed?.looks === looksOf(facts) && facts.ctimeNs <= seal.sealedAtNs - racyNs;
      if (sealed === undefined) look.added.push(path);
      else {
        look.seen.push({ path, facts });
        if (!untouched) look.doubtful.push({ path, facts });
      }
      if (facts.kind === "folder") folders.push({ path, untouched });
      if (look.seen.length % entriesPerTurn === 0) {
        signal?.throwIfAborted();
        await host.clock.sleep(0);
      }
    }
  }
  return look;
}

async function listPaths(host: Host, root: string, folder: string): Promise<string[]> {
  const names = await host.files.list(join(root, folder));
  return folder === "" ? names : names.map((name) => `${folder}/${name}`);
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

/** A seal that cannot be rewritten costs time at the next check and nothing else. */
async function refresh(host: Host, tree: SealedTree, entries: readonly SeenEntry[]): Promise<boolean> {
  try {
    await writeSeal(host, tree.sealFile, { entries, sha256: tree.treeSha256 });
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

function differing(tree: SealedTree, seal: Seal, look: Look, changed: readonly string[]): GumError {
  const there = new Set(look.seen.map(({ path }) => path));
  const removed = [...seal.lines.keys()].filter((path) => !there.has(path));
  const first =
    changed[0] !== undefined
      ? `has the changed file "${changed[0]}"`
      : look.added[0] !== undefined
        ? `has the added file "${look.added[0]}"`
        : `lacks the file "${removed[0]}"`;
  return modified(tree, first, {
    changed: changed.slice(0, maxNamed),
    added: look.added.slice(0, maxNamed),
    removed: removed.slice(0, maxNamed),
  });
}

function modified(tree: SealedTree, what: string, details: Readonly<Record<string, unknown>>): GumError {
  return new GumError("PLUGIN_TREE_MODIFIED", `The install root of plugin "${tree.plugin}" ${what}.`, {
    details: { plugin: tree.plugin, install_root: basename(tree.root), ...details },
  });
}
