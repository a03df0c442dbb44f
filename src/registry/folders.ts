import { join } from "node:path/posix";
import { errnoWords } from "../base/errno-words.ts";
import { GumError, isErrno } from "../base/errors.ts";
import type { Files, Host } from "../host/host.ts";

/** What of a profile the registry needs. */
export interface RegistryHome {
  readonly name: string;
  readonly dataDir: string;
  /** Where install roots go, when that is not `<data>/plugins`. */
  readonly pluginsDir?: string | undefined;
  /** How many generations with a changed lock or catalog are kept. */
  readonly keepGenerations?: number | undefined;
  /** Whether the log says what the registry does. */
  readonly debugRegistry?: boolean | undefined;
}

const folders = new WeakMap<RegistryHome, ReturnType<typeof makePaths>>();

/** Every path in a profile's data folder. */
export function foldersOf(home: RegistryHome) {
  const known = folders.get(home) ?? makePaths(home);
  folders.set(home, known);
  return known;
}

function makePaths(home: RegistryHome) {
  const at = (...names: string[]) => join(home.dataDir, ...names);
  return {
    plugins: home.pluginsDir ?? at("plugins"),
    current: at("current"),
    generations: at("generations"),
    staging: at("staging"),
    quarantine: at("quarantine"),
    schemas: at("plugin-schemas"),
    pluginData: at("plugin-data"),
    leases: at("leases"),
    installLock: at("plugins.install.lock"),
    audit: at("audit.jsonl"),
    auditLock: at("audit.lock"),
    retired: at("retired.json"),
  } as const;
}

/** Makes the data folder and the folders in it that gum writes to; what is there stays. */
export async function makeFolders(files: Files, home: RegistryHome): Promise<void> {
  const { generations, staging, quarantine, schemas, pluginData, leases } = foldersOf(home);
  for (const folder of [home.dataDir, generations, staging, quarantine, schemas, pluginData, leases]) {
    if (!(await files.exists(folder))) await files.mkdir(folder, { mode: 0o700, recursive: true });
  }
}

/** Names in a folder; none when it is absent. */
export async function namesIn(files: Files, folder: string): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/** What the system answers when the registry itself cannot be written. */
export const writeFaults = [
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EACCES",
  "EPERM",
  "EIO",
  "EFBIG",
  "ENOTDIR",
  "ENAMETOOLONG",
  "EMFILE",
  "ENFILE",
  "EISDIR",
  "ELOOP",
  "ENOENT",
  "EEXIST",
  "ENXIO",
] as const;

/** Runs file work of the registry; a fault of the system becomes REGISTRY_IO. */
export async function registryIo<T>(home: RegistryHome, doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isErrno(error, ...writeFaults)) throw error;
    const errno = error instanceof Error && "code" in error ? String(error.code) : "EIO";
    const path = error instanceof Error && "path" in error ? String(error.path) : home.dataDir;
    const why = errnoWords(error);
    throw new GumError("REGISTRY_IO", `Cannot ${doing} the registry of profile "${home.name}": ${errno}.`, {
      details: { profile: home.name, errno, path },
      hint: `check ${path}${why === undefined ? "" : ` (${why})`}, then run \`gum doctor\``,
      cause: error,
    });
  }
}

/** Flushes, and passes over a file system that cannot: that is said once per profile and process (R9). */
export async function flush(host: Host, home: RegistryHome, sync: () => Promise<void>): Promise<void> {
  try {
    await sync();
  } catch (error) {
    if (!isErrno(error, "ENOTSUP", "EOPNOTSUPP", "EINVAL", "ENOSYS")) throw error;
    warnOnce(
      host,
      `the file system of profile "${home.name}" does not support fsync: a power cut may lose the last change`,
    );
  }
}

/** Says what the registry does, where the operator wants to know. */
export function debug(host: Host, { name, debugRegistry }: RegistryHome, message: string): void {
  if (debugRegistry === true) host.log.warn(`registry of profile "${name}": ${message}`);
}

const saidTo = new WeakMap<object, Set<string>>();

/** Warns, but never twice in the same words. */
export function warnOnce(host: Host, message: string): void {
  const said = saidTo.get(host.log) ?? new Set();
  saidTo.set(host.log, said);
  if (said.has(message)) return;
  said.add(message);
  host.log.warn(message);
}
