// Removes install roots and schemas that nothing needs: no generation on disk, no running server, no running install.
import { basename, dirname, join } from "node:path/posix";
import type { Host } from "../host/host.ts";
import { foldersOf, namesIn, type RegistryHome, registryIo } from "./folders.ts";
import { takeInstallLock, withInstallLock } from "./install-lock.ts";
import { readLeases } from "./leases.ts";
import { allReferences } from "./references.ts";
import { readRetired, writeRetired } from "./retention.ts";
import { sealFileOf } from "./seal.ts";
import { isRootName, liveStaging } from "./staging.ts";

/** What was removed, and what had to stay because a server or an install still uses it. */
export interface Collected {
  readonly roots: readonly string[];
  readonly schemas: readonly string[];
  readonly inUse: number;
}

interface Found extends Collected {
  /** Renamed out of the way under the lock; removing them takes its time without it. */
  readonly gone: readonly string[];
}

const goneMark = ".gone-";
const nothing: Collected = { roots: [], schemas: [], inUse: 0 };

/** `gum plugin gc`: looks through all install roots and schemas of the profile. */
export async function collectGarbage(
  host: Host,
  home: RegistryHome,
  options: { command: string; signal?: AbortSignal | undefined },
): Promise<Collected> {
  if (!(await host.files.exists(home.dataDir))) return nothing;
  return registryIo(home, "clean", async () =>
    discard(host, await withInstallLock(host, home, options, () => collect(host, home, true))),
  );
}

/** After a publish: looks only at what old generations let go. When another process is busy, it will do it. */
export async function collectRetired(
  host: Host,
  home: RegistryHome,
  options: { command: string },
): Promise<Collected> {
  return registryIo(home, "clean", async () => {
    const lock = await takeInstallLock(host, home, { command: options.command, waitMs: 0 });
    if (lock === undefined) return nothing;
    let found: Found;
    try {
      found = await collect(host, home, false);
    } finally {
      await lock.release();
    }
    return discard(host, found);
  });
}

async function discard(host: Host, { gone, ...collected }: Found): Promise<Collected> {
  for (const path of gone) {
    await host.files.removeTree(path);
    await host.files.removeEmpty(dirname(path));
  }
  return collected;
}

async function collect(host: Host, home: RegistryHome, everywhere: boolean): Promise<Found> {
  // In this order: a root that is being installed is either still staged when we look, or published by then.
  const candidates = await findCandidates(host, home, everywhere);
  const staged = await liveStaging(host, home);
  const leased = await readLeases(host, home);
  const needed = await allReferences(host, home);
  const isStaged = (root: string) =>
    [...staged].some((txid) => basename(root).endsWith(`-${txid.slice(0, 8)}`));
  const freeRoots = candidates.roots.filter((root) => !needed.roots.has(root) && isRootName(basename(root)));
  const freeSchemas = candidates.schemas.filter((name) => !needed.schemas.has(name));
  const roots = freeRoots.filter((root) => !leased.everything && !leased.roots.has(root) && !isStaged(root));
  const schemas = freeSchemas.filter((name) => !leased.everything && !leased.schemas.has(name));
  const gone = [...candidates.gone];
  for (const root of roots) gone.push(...(await setAside(host, root)));
  for (const name of schemas) await host.files.removeTree(join(foldersOf(home).schemas, `${name}.json`));
  await writeRetired(host, home, {
    roots: freeRoots.filter((root) => !roots.includes(root)),
    schemas: freeSchemas.filter((name) => !schemas.includes(name)),
  });
  const inUse = freeRoots.length - roots.length + freeSchemas.length - schemas.length;
  return { roots, schemas, inUse, gone };
}

/** Within the same folder, since a read-only folder cannot get another parent. */
async function setAside(host: Host, root: string): Promise<string[]> {
  await host.files.removeTree(sealFileOf(root));
  if (!(await host.files.exists(root))) return [];
  const aside = join(dirname(root), `${goneMark}${basename(root)}`);
  await host.files.removeTree(aside);
  await host.files.rename(root, aside);
  return [aside];
}

async function findCandidates(
  host: Host,
  home: RegistryHome,
  everywhere: boolean,
): Promise<{ roots: string[]; schemas: string[]; gone: string[] }> {
  const retired = await readRetired(host, home);
  if (!everywhere) return { ...retired, gone: [] };
  const { plugins, schemas: schemaFolder } = foldersOf(home);
  const roots = new Set(retired.roots);
  const gone: string[] = [];
  // A folder of one's own choice may be shared with other profiles, whose roots look like garbage from here.
  if (plugins === join(home.dataDir, "plugins")) {
    for (const id of await namesIn(host.files, plugins)) {
      for (const name of await namesIn(host.files, join(plugins, id))) {
        if (isRootName(name)) roots.add(join(plugins, id, name));
        if (name.startsWith(goneMark)) gone.push(join(plugins, id, name));
      }
    }
  }
  const schemas = (await namesIn(host.files, schemaFolder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));
  return { roots: [...roots], schemas: [...new Set([...schemas, ...retired.schemas])], gone };
}
