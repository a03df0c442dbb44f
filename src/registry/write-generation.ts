// The order in which a generation reaches the disk: its files, its folder, the folder above, then the one rename
// that makes it current, then the data folder. A crash anywhere leaves the old generation or the new one, whole.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import type { Host } from "../host/host.ts";
import type { GenerationRecord, GenerationReferences } from "../model/generation.ts";
import type { Registry } from "../model/registry.ts";
import { flush, foldersOf, type RegistryHome } from "./folders.ts";
import { generationFolder, readCurrent, recordName, referencesName } from "./generation-folders.ts";
import { fileNames, type RegistryParts } from "./generation-text.ts";

/** Writes and flushes a new generation's folder, which nothing points to yet; on failure it is gone again. */
export async function writeGeneration(
  host: Host,
  home: RegistryHome,
  parts: RegistryParts,
  about: Omit<GenerationRecord, "files" | "generation_schema_version">,
  references: GenerationReferences,
): Promise<string> {
  const { generations } = foldersOf(home);
  const name = generationFolder(about.install_generation, about.install_txid);
  const folder = join(generations, name);
  const files = {
    catalog: digestOf(parts.catalog),
    lock: digestOf(parts.lock),
    state: digestOf(parts.state),
  };
  const record: GenerationRecord = { generation_schema_version: 1, ...about, files };
  await host.files.mkdir(folder, { mode: 0o700 });
  try {
    await writeFile(host, home, join(folder, fileNames.catalog), parts.catalog);
    await writeFile(host, home, join(folder, fileNames.lock), parts.lock);
    await writeFile(host, home, join(folder, fileNames.state), parts.state);
    await writeFile(host, home, join(folder, referencesName), [
      Buffer.from(`${JSON.stringify(references)}\n`),
    ]);
    await writeFile(host, home, join(folder, recordName), [
      Buffer.from(`${JSON.stringify(record, null, 2)}\n`),
    ]);
    await flush(host, home, () => host.files.syncFolder(folder));
    await flush(host, home, () => host.files.syncFolder(generations));
  } catch (error) {
    await host.files.removeTree(folder);
    throw error;
  }
  return name;
}

/** Makes a written generation the current one, by one rename; when that cannot be flushed, the old one again. */
export async function swapCurrent(
  host: Host,
  home: RegistryHome,
  folder: string,
  txid: string,
): Promise<void> {
  const before = await readCurrent(host.files, home);
  await pointTo(host, home, folder, txid);
  try {
    await flush(host, home, () => host.files.syncFolder(home.dataDir));
  } catch (error) {
    if (before !== undefined && before !== "dangling") await pointTo(host, home, before.folder, txid);
    else await host.files.unlink(foldersOf(home).current);
    throw error;
  }
}

async function pointTo(host: Host, home: RegistryHome, folder: string, txid: string): Promise<void> {
  const fresh = join(home.dataDir, `current.${txid}.new`);
  await host.files.symlink(`generations/${folder}`, fresh);
  try {
    await host.files.rename(fresh, foldersOf(home).current);
  } catch (error) {
    await host.files.unlink(fresh);
    throw error;
  }
}

/** The links beside `current` under which people look for the three files. */
export async function makeEntryLinks(host: Host, home: RegistryHome): Promise<void> {
  for (const name of Object.values(fileNames)) {
    const path = join(home.dataDir, name);
    if (!(await host.files.exists(path))) await host.files.symlink(`current/${name}`, path);
  }
}

/** What a registry keeps from being collected. */
export function referencesOf(registry: Registry): GenerationReferences {
  const schemas = new Set<string>();
  for (const { schema_hashes } of registry.catalog.variants) {
    for (const [ref, digest] of Object.entries(schema_hashes)) schemas.add(`${ref}.${digest}`);
  }
  for (const { pins } of registry.lock.plugins) if (pins) schemas.add(`${pins.ref}.${pins.sha256}`);
  const roots = registry.lock.plugins.filter((row) => !row.linked).map((row) => row.install_root);
  return { roots: [...new Set(roots)].sort(), schemas: [...schemas].sort() };
}

async function writeFile(
  host: Host,
  home: RegistryHome,
  path: string,
  parts: readonly Uint8Array[],
): Promise<void> {
  const file = await host.files.open(path, "write-new");
  try {
    for (const part of parts) await file.write(part);
    await flush(host, home, () => file.sync());
  } finally {
    await file.close();
  }
}

function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
