// From what a plugin declares, what the operator granted and where things are, to what the process may do. Pure.
import { normalize } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Access } from "./landlock.ts";
import { defaultLimits, type Limits, oneShotCpuSeconds } from "./limits.ts";
import { runtimeRules, singleFile } from "./runtime-root.ts";
import { liesWithin, protectedFrom, type Surroundings, sensitiveFor } from "./sensitive.ts";
import {
  devices,
  loaders,
  networkFiles,
  programFolders,
  programRoots,
  readFiles,
  readFolders,
} from "./system-paths.ts";

/** One path that the process may use. */
export interface PathRule {
  readonly path: string;
  readonly access: Access;
  readonly kind: "folder" | "file" | "either";
  /**
   * `required`: absent, or reached through a link, means no launch. `optional`: used when it is there. What a
   * plugin could have replaced by a link must be required.
   */
  readonly presence: "required" | "optional";
}

export interface Policy {
  readonly network: boolean;
  /** Whether programs other than the plugin's own may be started. */
  readonly exec: boolean;
  readonly rules: readonly PathRule[];
  /** Folders inside the data folder that are made before the start, parents first. */
  readonly folders: readonly { readonly parent: string; readonly name: string }[];
  readonly home: string;
  readonly temporary: string;
  readonly limits: Limits;
}

export interface PolicyInput {
  readonly network: boolean;
  /** "" for the whole data folder, else a relative path in it. */
  readonly fsWriteDir: string;
  readonly exec?: boolean | undefined;
  readonly grants: {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly shm: boolean;
  };
  /** Real paths. */
  readonly installRoot: string;
  readonly dataDir: string;
  /** Real paths of the interpreters that run the plugin, or of gum itself for ES modules. */
  readonly runtimes: readonly string[];
  /** Files and folders that gum itself adds for what it starts, such as its own source. */
  readonly ownReads?: readonly string[] | undefined;
  /** Certificates that the user's environment names; used with `network`. */
  readonly certificates?: readonly string[] | undefined;
  readonly userHome: string;
  readonly gumFolders: readonly string[];
  readonly limits?: Partial<Limits> | undefined;
  /** The process answers one call and ends. */
  readonly oneShot?: boolean | undefined;
}

/** The policy for one launch; refuses a write folder that leaves the plugin's data. */
export function makePolicy(input: PolicyInput): Policy {
  const exec = input.exec ?? true;
  const writeDir = writeFolder(input.fsWriteDir);
  const home = `${input.dataDir}/home`;
  const temporary = `${input.dataDir}/tmp`;
  return {
    network: input.network,
    exec,
    rules: [
      ...systemRules(input, exec),
      // Without `exec` the program itself and the loader are all that may be started.
      ...(exec ? runtimeRules(input.runtimes, input) : input.runtimes.map(singleFile)),
      required(input.installRoot, exec ? "read-exec" : "read"),
      ...dataRules(input.dataDir, writeDir, [home, temporary]),
      ...(input.ownReads ?? []).map((path) => required(path, "read", "either")),
      ...input.grants.read.map((path) => required(path, "read", "either")),
      ...input.grants.write.map((path) => required(path, "write", "either")),
      ...(input.grants.shm ? [optional("/dev/shm", "write", "folder")] : []),
    ],
    folders: foldersToMake(input.dataDir, ["home", "tmp", ...(writeDir === "" ? [] : [writeDir])]),
    home,
    temporary,
    limits: {
      ...defaultLimits,
      ...(input.oneShot ? { cpuSeconds: oneShotCpuSeconds } : {}),
      ...input.limits,
    },
  };
}

/** The relative folder in normal form, "" for all of the data. */
export function writeFolder(fsWriteDir: string): string {
  const path = normalize(fsWriteDir === "" ? "." : fsWriteDir).replace(/\/+$/, "");
  const escapes = path === ".." || path.startsWith("../") || path.startsWith("/") || path.includes("\0");
  if (escapes || path === "" || fsWriteDir.startsWith("/")) {
    throw new GumError(
      "PLUGIN_FS_WRITE_OUTSIDE_SANDBOX",
      `fs_write_dir '${fsWriteDir}' leaves the plugin's data folder.`,
    );
  }
  return path === "." ? "" : path;
}

function systemRules(input: PolicyInput, exec: boolean): PathRule[] {
  const access = exec ? "read-exec" : "read";
  const guarded = protectedFrom("/", input);
  const certificates = (input.certificates ?? []).filter((path) => isHarmless(path, input));
  return [
    ...programRoots
      .flatMap((root) => openParts(root, guarded))
      .map((path) => optional(path, access, "folder")),
    ...(exec ? [] : loaders.map((path) => optional(path, "read-exec", "file"))),
    ...readFolders.map((path) => optional(path, "read", "folder")),
    ...readFiles.map((path) => optional(path, "read", "file")),
    ...devices.map((path) => optional(path, "device", "file")),
    ...(input.network ? networkFiles.map((path) => optional(path, "read", "file")) : []),
    ...(input.network ? certificates.map((path) => optional(path, "read", "either")) : []),
  ];
}

/** The folder itself, or the parts of it that hold nothing protected. */
function openParts(folder: string, guarded: readonly string[]): string[] {
  if (!guarded.some((path) => liesWithin(path, folder))) return [folder];
  return (programFolders[folder] ?? []).flatMap((part) => openParts(part, guarded));
}

function isHarmless(path: string, where: Surroundings): boolean {
  if (!path.startsWith("/") || sensitiveFor(path, where).some((folder) => liesWithin(path, folder)))
    return false;
  return !protectedFrom(path, where).some((inner) => liesWithin(inner, path));
}

function dataRules(dataDir: string, writeDir: string, always: readonly string[]): PathRule[] {
  if (writeDir === "") return [required(dataDir, "write")];
  return [
    required(dataDir, "read"),
    required(`${dataDir}/${writeDir}`, "write"),
    ...always.map((path) => required(path, "write")),
  ];
}

function foldersToMake(dataDir: string, paths: readonly string[]): Policy["folders"] {
  const folders = new Map<string, { parent: string; name: string }>();
  for (const path of paths) {
    const names = path.split("/");
    names.forEach((name, depth) => {
      const parent = [dataDir, ...names.slice(0, depth)].join("/");
      folders.set(`${parent}/${name}`, { parent, name });
    });
  }
  return [...folders.values()];
}

function required(path: string, access: Access, kind: PathRule["kind"] = "folder"): PathRule {
  return { path, access, kind, presence: "required" };
}

function optional(path: string, access: Access, kind: PathRule["kind"]): PathRule {
  return { path, access, kind, presence: "optional" };
}
