import { join } from "node:path/posix";
import * as v from "valibot";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { GenerationReferences } from "../model/generation.ts";
import { foldersOf, namesIn, type RegistryHome } from "./folders.ts";
import { type GenerationName, listGenerations, readRecord } from "./generation-folders.ts";
import { referencesIn } from "./references.ts";

/** Generations of any kind that stay for readers that have just begun to read one. */
const keepRecent = 5;
const goneMark = ".gone-";

/**
 * Under the install lock: removes generations beyond those to be kept. Generations in which only state changed never
 * push out one in which lock or catalog did (R10). True when something is now waiting to be collected.
 */
export async function trimGenerations(
  host: Host,
  home: RegistryHome,
  options: { keep: number; current: number; needed: GenerationReferences },
): Promise<boolean> {
  const { generations } = foldersOf(home);
  for (const name of await namesIn(host.files, generations)) {
    if (name.startsWith(goneMark)) await host.files.removeTree(join(generations, name));
  }
  const dropped = await droppable(host, home, options);
  if (dropped.length > 0) await retire(host, home, dropped, options.needed);
  for (const { folder } of dropped) {
    // Out of sight by one rename, so that a crash leaves no half generation.
    const gone = join(generations, `${goneMark}${folder}`);
    await host.files.rename(join(generations, folder), gone);
    await host.files.removeTree(gone);
  }
  const waiting = await readRetired(host, home);
  return waiting.roots.length + waiting.schemas.length > 0;
}

async function droppable(
  host: Host,
  home: RegistryHome,
  { keep, current }: { keep: number; current: number },
): Promise<GenerationName[]> {
  const older = (await listGenerations(host.files, home)).filter((name) => name.number <= current);
  if (older.length <= Math.min(keep, keepRecent)) return [];
  const dropped: GenerationName[] = [];
  let useful = 0;
  for (const [at, name] of older.entries()) {
    const record = await readRecord(host.files, home, name.folder);
    const isUseful = record === undefined || record.content_changed;
    if (isUseful) useful++;
    if (at >= keepRecent && (!isUseful || useful > keep)) dropped.push(name);
  }
  return dropped;
}

/** What dropped generations needed and the new one does not; others may still, which collecting finds out. */
export async function readRetired(host: Host, home: RegistryHome): Promise<GenerationReferences> {
  try {
    return v.parse(GenerationReferences, JSON.parse(await host.files.readText(foldersOf(home).retired)));
  } catch (error) {
    const damaged =
      error instanceof SyntaxError || error instanceof TypeError || error instanceof v.ValiError;
    if (damaged || isErrno(error, "ENOENT")) return { roots: [], schemas: [] };
    throw error;
  }
}

/** Remembers what is waiting to be collected. */
export async function writeRetired(
  host: Host,
  home: RegistryHome,
  retired: GenerationReferences,
): Promise<void> {
  const path = foldersOf(home).retired;
  if (retired.roots.length + retired.schemas.length === 0) return host.files.removeTree(path);
  await host.files.replace(path, `${JSON.stringify(retired)}\n`, { mode: 0o600 });
}

async function retire(
  host: Host,
  home: RegistryHome,
  dropped: readonly GenerationName[],
  needed: GenerationReferences,
): Promise<void> {
  const before = await readRetired(host, home);
  const roots = new Set(before.roots);
  const schemas = new Set(before.schemas);
  for (const name of dropped) {
    const had = await referencesIn(host, home, name);
    for (const root of had.roots) roots.add(root);
    for (const schema of had.schemas) schemas.add(schema);
  }
  for (const root of needed.roots) roots.delete(root);
  for (const schema of needed.schemas) schemas.delete(schema);
  if (roots.size === before.roots.length && schemas.size === before.schemas.length) return;
  await writeRetired(host, home, { roots: [...roots].sort(), schemas: [...schemas].sort() });
}
