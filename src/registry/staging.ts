// Work in progress. Each install has a folder of its own below staging/, whose file `owner` it keeps locked for as
// long as it lives: what nobody holds is a leftover of a crash and may be swept.
import { basename, dirname, join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { HeldLock, Host } from "../host/host.ts";
import { foldersOf, namesIn, type RegistryHome, registryIo } from "./folders.ts";
import { withInstallLock } from "./install-lock.ts";
import { allReferences } from "./references.ts";
import { sealFileOf } from "./seal.ts";
import { copyTree } from "./stage.ts";
import { sweepSeals } from "./sweep-seals.ts";

/** One install's own folder. */
export interface Staging {
  readonly txid: string;
  readonly folder: string;
  /** Moves a copied tree of this folder to a new install root, which only this transaction's name can have. */
  moveToRoot(home: RegistryHome, pluginId: string, sourceSha256: string, name: string): Promise<string>;
  /** Takes an install root back that was not published. */
  removeRoot(home: RegistryHome, installRoot: string): Promise<void>;
  /** Removes the folder and everything in it. */
  close(): Promise<void>;
}

const ownerFile = "owner";
const ownerBudgetMs = 10_000;
const txidDigits = 16;
const moveAttempts = 10;
const rootRule = /^[0-9a-f]{12}-[0-9a-f]{8}$/;

/** Where the tree of a plugin version will stay: always a new folder. */
export function installRootOf(
  home: RegistryHome,
  pluginId: string,
  sourceSha256: string,
  txid: string,
): string {
  return join(foldersOf(home).plugins, pluginId, `${sourceSha256.slice(0, 12)}-${txid.slice(0, 8)}`);
}

/** Whether a folder's name is that of an install root. */
export function isRootName(name: string): boolean {
  return rootRule.test(name);
}

/** Makes a staging folder that no other process will sweep while this one lives. */
export async function openStaging(
  host: Host,
  home: RegistryHome,
  options: { command?: string } = {},
): Promise<Staging> {
  const command = options.command ?? "plugin install";
  const txid = host.randomHex(txidDigits);
  const folder = join(foldersOf(home).staging, txid);
  // No other folder is made yet: a first install that fails leaves none behind.
  const isFirst = !(await host.files.exists(dirname(folder)));
  await registryIo(home, "write", () => host.files.mkdir(home.dataDir, { mode: 0o700, recursive: true }));
  // Under the install lock, since sweeping happens under it too: no sweep sees the folder without its owner.
  const owner = await withInstallLock(host, home, { command }, () =>
    registryIo(home, "write", async () => {
      await sweepLeftovers(host, home);
      return takeFolder(host, home, folder, command);
    }),
  );
  return staging(host, { txid, folder, owner, command, isFirst });
}

async function takeFolder(
  host: Host,
  home: RegistryHome,
  folder: string,
  command: string,
): Promise<HeldLock> {
  await host.files.mkdir(folder, { mode: 0o700, recursive: true });
  const lock = await host.files.lock(join(folder, ownerFile), { waitMs: ownerBudgetMs });
  try {
    if (lock === undefined) {
      throw new GumError("REGISTRY_LOCKED", `Cannot lock a staging folder of profile "${home.name}".`);
    }
    await lock.describe(ownerText(host, command, []));
    return lock;
  } catch (error) {
    await host.files.removeTree(folder);
    await lock?.release();
    throw error;
  }
}

/** Names of staging folders whose owner lives. */
export async function liveStaging(host: Host, home: RegistryHome): Promise<Set<string>> {
  const live = new Set<string>();
  for (const txid of await namesIn(host.files, foldersOf(home).staging)) {
    const lock = await ownerLock(host, home, txid);
    if (lock === undefined) live.add(txid);
    await lock?.release();
  }
  return live;
}

/** Under the install lock: puts away what a killed gum left in staging/ and beside install roots, but for the caller's own folder; says so. */
export async function sweepLeftovers(host: Host, home: RegistryHome, own?: string): Promise<string[]> {
  await sweepSeals(host, home);
  const { staging: parent, quarantine } = foldersOf(home);
  const names = (await namesIn(host.files, parent)).filter((name) => name !== own);
  if (names.length === 0) return [];
  await host.files.mkdir(quarantine, { mode: 0o700, recursive: true });
  const { roots } = await allReferences(host, home);
  const swept = await sweepStaging(host, home, (root) => roots.has(root));
  for (const name of swept) host.log.warn(`an unfinished install was moved to quarantine/${name}`);
  return swept;
}

/** Moves folders whose owner is gone to quarantine/ and removes the install roots they had begun. */
export async function sweepStaging(
  host: Host,
  home: RegistryHome,
  isReferenced: (installRoot: string) => boolean,
): Promise<string[]> {
  const { staging: parent, quarantine } = foldersOf(home);
  const swept: string[] = [];
  for (const txid of await namesIn(host.files, parent)) {
    const lock = await ownerLock(host, home, txid);
    if (lock === undefined) continue;
    try {
      for (const root of await begunRoots(host, join(parent, txid, ownerFile))) {
        const own = isRootName(basename(root)) && basename(root).endsWith(`-${txid.slice(0, 8)}`);
        if (own && !isReferenced(root)) await removeRoot(host, root);
      }
      await host.files.rename(join(parent, txid), join(quarantine, `staging-${txid}`));
      swept.push(`staging-${txid}`);
    } finally {
      await lock.release();
    }
  }
  return swept;
}

/** Removes an install root with its seal, and the plugin's folder when nothing else is in it. */
export async function removeRoot(host: Host, root: string): Promise<void> {
  await host.files.removeTree(root);
  await host.files.removeTree(sealFileOf(root));
  await host.files.removeEmpty(dirname(root));
}

interface Own {
  readonly txid: string;
  readonly folder: string;
  readonly owner: HeldLock;
  readonly command: string;
  /** Whether this install is the profile's first, and so made the folders that others find. */
  readonly isFirst: boolean;
}

function staging(host: Host, { txid, folder, owner, command, isFirst }: Own): Staging {
  return {
    txid,
    folder,
    moveToRoot: (home, pluginId, sourceSha256, name) =>
      registryIo(home, "write", async () => {
        const root = installRootOf(home, pluginId, sourceSha256, txid);
        // Said before it exists, so that a crash in between leaves nothing that nobody knows of.
        await owner.describe(ownerText(host, command, [root]));
        await moveTree(host, join(folder, name), root);
        return root;
      }),
    removeRoot: (home, root) =>
      registryIo(home, "write", async () => {
        await removeRoot(host, root);
        if (isFirst) await host.files.removeEmpty(dirname(dirname(root)));
      }),
    async close() {
      await host.files.removeTree(folder);
      if (isFirst) await host.files.removeEmpty(dirname(folder));
      await owner.release();
    },
  };
}

async function moveTree(host: Host, from: string, to: string): Promise<void> {
  // Only a folder that its owner may write can get another parent.
  await host.files.chmod(from, 0o700);
  for (let attempt = 1; ; attempt++) {
    await host.files.mkdir(dirname(to), { mode: 0o700, recursive: true });
    try {
      await host.files.rename(from, to);
      return await host.files.chmod(to, 0o555);
    } catch (error) {
      // Somebody who cleans up may have removed the plugin's folder while it was still empty.
      if (isErrno(error, "ENOENT") && attempt < moveAttempts) continue;
      if (!isErrno(error, "EXDEV")) throw error;
      await copyTree(host, from, to, {
        maxFiles: Number.MAX_SAFE_INTEGER,
        maxBytes: Number.MAX_SAFE_INTEGER,
      });
      return;
    }
  }
}

/** The lock of a staging folder, when nobody holds it. */
async function ownerLock(host: Host, home: RegistryHome, txid: string): Promise<HeldLock | undefined> {
  try {
    return await host.files.lock(join(foldersOf(home).staging, txid, ownerFile), { waitMs: 0 });
  } catch (error) {
    // It ended by itself in between, or it is no folder of ours.
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

async function begunRoots(host: Host, path: string): Promise<string[]> {
  try {
    const value: unknown = JSON.parse(await host.files.readText(path, { maxBytes: 1 << 20 }));
    const roots = typeof value === "object" && value !== null ? Reflect.get(value, "roots") : undefined;
    return Array.isArray(roots) ? roots.filter((root) => typeof root === "string") : [];
  } catch (error) {
    if (error instanceof SyntaxError || isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

function ownerText(host: Host, command: string, roots: readonly string[]): string {
  const since = new Date(host.clock.now()).toISOString();
  return `${JSON.stringify({ pid: host.machine.pid, command, since, roots })}\n`;
}
