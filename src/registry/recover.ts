// What a crash can leave: a `current` that leads nowhere, a generation that was not finished or never became current,
// a link that was not renamed, staging folders. Nothing of it is lost: it goes to quarantine/ for `gum doctor`.
import { join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { HeldLock, Host } from "../host/host.ts";
import { foldersOf, makeFolders, namesIn, type RegistryHome, registryIo, warnOnce } from "./folders.ts";
import {
  type Generation,
  type GenerationName,
  listGenerations,
  readCurrent,
  readGeneration,
} from "./generation-folders.ts";
import { takeInstallLock } from "./install-lock.ts";
import { sweepLeftovers } from "./staging.ts";
import { swapCurrent } from "./write-generation.ts";

/** What a start found and put right. */
export interface Recovery {
  /** The generation that was selected because the current one was absent or damaged; null when all was well. */
  readonly selected: number | null;
  /** What now lies in quarantine/. */
  readonly moved: readonly string[];
}

type Current = GenerationName | "dangling" | undefined;

const nothingFound: Recovery = { selected: null, moved: [] };
const leftoverLink = /^current\.[0-9a-f]+\.new$/;

/**
 * Puts right at start what a crash left, and says so once (R8). A process that is at work is not disturbed, and a
 * data folder that cannot be written is left as it is.
 */
export async function recover(host: Host, home: RegistryHome): Promise<Recovery> {
  return registryIo(home, "read", async () => {
    if (!(await needsRecovery(host, home))) return nothingFound;
    const lock = await lockIfWritable(host, home);
    if (lock === undefined || lock === "read-only") return nothingFound;
    try {
      await makeFolders(host.files, home);
      const { selected, moved } = await mendRegistry(host, home);
      const swept = await sweepLeftovers(host, home);
      return { selected, moved: [...moved, ...swept] };
    } finally {
      await lock.release();
    }
  });
}

/** Under the install lock: the newest complete generation, made current if it was not, with orphans out of the way. */
export async function mendRegistry(
  host: Host,
  home: RegistryHome,
): Promise<Recovery & { generation: Generation | undefined }> {
  const current = await readCurrent(host.files, home);
  const healthy = isNamed(current) ? await readGeneration(host.files, home, current) : undefined;
  if (healthy !== undefined && isNamed(current)) {
    return { generation: healthy, selected: null, moved: await moveOrphans(host, home, current) };
  }
  const found = await newestComplete(host, home, current);
  if (found === undefined) {
    return { generation: undefined, selected: null, moved: await moveOrphans(host, home, undefined) };
  }
  await swapCurrent(host, home, found.name.folder, host.randomHex(8));
  const moved = await moveOrphans(host, home, found.name);
  return { generation: found, selected: found.name.number, moved };
}

/**
 * For a reader that found no usable current generation: the newest complete one, looked for while nobody publishes,
 * since a generation that is just being written looks complete before it is current. "busy" when somebody does.
 */
export async function selectGeneration(
  host: Host,
  home: RegistryHome,
): Promise<Generation | undefined | "busy"> {
  const lock = await lockIfWritable(host, home);
  if (lock === undefined) return "busy";
  try {
    const current = await readCurrent(host.files, home);
    const healthy = isNamed(current) ? await readGeneration(host.files, home, current) : undefined;
    return healthy ?? (await newestComplete(host, home, current));
  } finally {
    if (lock !== "read-only") await lock.release();
  }
}

/** The newest generation that can be read whole; undefined when none was ever published. Says that it was needed. */
async function newestComplete(
  host: Host,
  home: RegistryHome,
  current: Current,
): Promise<(Generation & { name: GenerationName }) | undefined> {
  const names = await listGenerations(host.files, home);
  for (const name of names) {
    const generation = await readGeneration(host.files, home, name);
    if (generation === undefined) continue;
    const why = current === undefined ? "absent" : "damaged";
    warnOnce(
      host,
      `the current generation of profile "${home.name}" is ${why}; generation ${name.number} is used`,
    );
    return { ...generation, name };
  }
  if (current === undefined) return undefined;
  throw new GumError(
    "REGISTRY_IO",
    `The registry of profile "${home.name}" is damaged: no generation is complete.`,
    {
      details: { profile: home.name, generations: names.map((name) => name.folder) },
      hint: "restore the data folder from a backup, or move it away and install again",
    },
  );
}

/** Generations newer than the current one were never published. */
async function moveOrphans(
  host: Host,
  home: RegistryHome,
  current: GenerationName | undefined,
): Promise<string[]> {
  const { generations, quarantine } = foldersOf(home);
  for (const name of await namesIn(host.files, home.dataDir)) {
    if (leftoverLink.test(name)) await host.files.unlink(join(home.dataDir, name));
  }
  const moved: string[] = [];
  for (const name of await orphansOf(host, home, current)) {
    const target = await freeName(host, quarantine, `generation-${name.folder}`);
    await host.files.rename(join(generations, name.folder), join(quarantine, target));
    host.log.warn(`an unfinished generation was moved to quarantine/${target}`);
    moved.push(target);
  }
  return moved;
}

async function orphansOf(
  host: Host,
  home: RegistryHome,
  current: GenerationName | undefined,
): Promise<GenerationName[]> {
  const names = await listGenerations(host.files, home);
  if (current === undefined) return names;
  return names.filter((name) => name.number >= current.number && name.folder !== current.folder);
}

async function freeName(host: Host, folder: string, name: string): Promise<string> {
  return (await host.files.exists(join(folder, name))) ? `${name}-${host.randomHex(8)}` : name;
}

/** A few reads that tell whether anything is amiss; most starts end here. */
async function needsRecovery(host: Host, home: RegistryHome): Promise<boolean> {
  if ((await namesIn(host.files, foldersOf(home).staging)).length > 0) return true;
  const current = await readCurrent(host.files, home);
  if (!isNamed(current))
    return current === "dangling" || (await listGenerations(host.files, home)).length > 0;
  if ((await orphansOf(host, home, current)).length > 0) return true;
  return (await readGeneration(host.files, home, current)) === undefined;
}

/** The install lock; undefined when another process holds it. */
async function lockIfWritable(host: Host, home: RegistryHome): Promise<HeldLock | "read-only" | undefined> {
  try {
    return await takeInstallLock(host, home, { command: "recover", waitMs: 0 });
  } catch (error) {
    if (error instanceof GumError && isErrno(error.info.cause, "EACCES", "EPERM", "EROFS"))
      return "read-only";
    throw error;
  }
}

function isNamed(current: Current): current is GenerationName {
  return current !== undefined && current !== "dangling";
}
