// The order in which a generation reaches the disk: its files, its folder, the folder above, then the one rename
// that makes it current, then the data folder. A crash anywhere leaves the old generation or the new one, whole.
import { join } from "node:path/posix";
import { sha256 } from "../base/digest.ts";
import type { Host } from "../host/host.ts";
import type { GenerationRecord, GenerationReferences } from "../model/generation.ts";
import type { Registry } from "../model/registry.ts";
import { flush, foldersOf, type RegistryHome } from "./folders.ts";
import { generationFolder, readCurrent, recordName, referencesName } from "./generation-folders.ts";
import { fileNames, type RegistryTexts } from "./generation-text.ts";

/** Writes and flushes a new generation's folder, which nothing points to yet; on failure it is gone again. */
export async function writeGeneration(
  host: Host,
  home: RegistryHome,
  texts: RegistryTexts,
  about: Omit<GenerationRecord, "files" | "generation_schema_version">,
  references: GenerationReferences,
): Promise<string> {
  const { generations } = foldersOf(home);
  const name = generationFolder(about.install_generation, about.install_txid);
  const folder = join(generations, name);
  const files = { catalog: sha256(texts.catalog), lock: sha256(texts.lock), state: sha256(texts.state) };
  const record: GenerationRecord = { generation_schema_version: 1, ...about, files };
  await host.files.mkdir(folder, { mode: 0o700 });
  try {
    await writeFile(host, home, join(folder, fileNames.catalog), texts.catalog);
    await writeFile(host, home, join(folder, fileNames.lock), texts.lock);
    await writeFile(host, home, join(folder, fileNames.state), texts.state);
    await writeFile(host, home, join(folder, referencesName), `${JSON.stringify(references)}\n`);
    await writeFile(host, home, join(folder, recordName), `${JSON.stringify(record, null, 2)}\n`);
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
  const roots = registry.lock.plugins.filter((row) => !row.linked).map((row) => row.install_root);
  return { roots: [...new Set(roots)].sort(), schemas: [...schemas].sort() };
}

async function writeFile(host: Host, home: RegistryHome, path: string, text: string): Promise<void> {
  const file = await host.files.open(path, "write-new");
  try {
    await file.write(new TextEncoder().encode(text));
    await flush(host, home, () => file.sync());
  } finally {
    await file.close();
  }
}
