import { Buffer } from "node:buffer";
import { join } from "node:path/posix";
import * as v from "valibot";
import { sha256 } from "../base/digest.ts";
import { isErrno } from "../base/errors.ts";
import type { Files } from "../host/host.ts";
import { GenerationRecord } from "../model/generation.ts";
import type { Registry } from "../model/registry.ts";
import { gumVersion } from "../model/version.ts";
import { foldersOf, namesIn, type RegistryHome } from "./folders.ts";
import {
  decodeRegistry,
  fileNames,
  type RegistryBytes,
  type RegistryTexts,
  trustedRegistry,
} from "./generation-text.ts";

/** A generation's folder, by its name. */
export interface GenerationName {
  readonly folder: string;
  readonly number: number;
  readonly txid: string;
}

/** A generation that was read whole. */
export interface Generation {
  readonly registry: Registry;
  readonly bytes: RegistryBytes;
  /** Whether the files are byte for byte what this very gum checked and wrote. */
  readonly asWritten: boolean;
  /** Names of files that are not what the record says, or the record itself when it says nothing (R8). */
  readonly altered: readonly string[];
  /** Absent when the record is damaged, which costs its history line and the proof of the files. */
  readonly record: GenerationRecord | undefined;
}

const folderRule = /^(\d{8,15})-([0-9a-f]{8,64})$/;
/** Beside the three files: who made the generation, and what it needs. */
export const recordName = "generation.json";
export const referencesName = "references.json";
/** Far above any real registry; it bounds what a damaged folder can make gum read. */
const maxFileBytes = 1 << 29;

/** The folder's name of a generation, such as `00000042-1f0c…`. */
export function generationFolder(number: number, txid: string): string {
  return `${String(number).padStart(8, "0")}-${txid}`;
}

/** Reads a folder's name; undefined when it is not one of a generation. */
export function parseFolder(folder: string): GenerationName | undefined {
  const [, digits, txid] = folderRule.exec(folder) ?? [];
  return digits === undefined || txid === undefined ? undefined : { folder, number: Number(digits), txid };
}

/** All generation folders, newest first, complete or not. */
export async function listGenerations(files: Files, home: RegistryHome): Promise<GenerationName[]> {
  const names = await namesIn(files, foldersOf(home).generations);
  return names
    .flatMap((name) => parseFolder(name) ?? [])
    .sort((a, b) => b.number - a.number || (a.txid < b.txid ? 1 : -1));
}

/** Where `current` points: a generation, "dangling" for anything else that is there, undefined when absent. */
export async function readCurrent(
  files: Files,
  home: RegistryHome,
): Promise<GenerationName | "dangling" | undefined> {
  try {
    const target = await files.readlink(foldersOf(home).current);
    const [parent, folder, ...more] = target.split("/");
    if (parent !== "generations" || folder === undefined || more.length > 0) return "dangling";
    return parseFolder(folder) ?? "dangling";
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    if (isErrno(error, "EINVAL")) return "dangling";
    throw error;
  }
}

/** Reads one generation; undefined when it is not whole. A version from the future throws (R5). */
export async function readGeneration(
  files: Files,
  home: RegistryHome,
  { folder, number, txid }: GenerationName,
): Promise<Generation | undefined> {
  const at = join(foldersOf(home).generations, folder);
  const record = await readRecord(files, home, folder);
  const bytes = await readFiles(files, at);
  if (bytes === undefined) return undefined;
  const altered = alteredFiles(bytes, record);
  const asWritten = altered.length === 0 && record?.written_by === gumVersion;
  const texts = asWritten ? provenTexts(bytes) : textsOf(bytes);
  const registry = texts && ((asWritten && trustedRegistry(texts)) || decodeRegistry(texts));
  if (texts === undefined || registry === undefined) return undefined;
  const { install_generation, install_txid } = registry.state;
  return install_generation === number && install_txid === txid
    ? { registry, bytes, asWritten, altered, record }
    : undefined;
}

/** The generation's own record; undefined when it is absent or damaged. */
export async function readRecord(
  files: Files,
  home: RegistryHome,
  folder: string,
): Promise<GenerationRecord | undefined> {
  const path = join(foldersOf(home).generations, folder, recordName);
  try {
    const result = v.safeParse(
      GenerationRecord,
      JSON.parse(await files.readText(path, { maxBytes: maxFileBytes })),
    );
    return result.success ? result.output : undefined;
  } catch (error) {
    if (
      isErrno(error, "ENOENT", "ENOTDIR", "EFBIG") ||
      error instanceof SyntaxError ||
      error instanceof TypeError
    ) {
      return undefined;
    }
    throw error;
  }
}

async function readFiles(files: Files, folder: string): Promise<RegistryBytes | undefined> {
  try {
    return {
      catalog: await readWhole(files, join(folder, fileNames.catalog)),
      lock: await readWhole(files, join(folder, fileNames.lock)),
      state: await readWhole(files, join(folder, fileNames.state)),
    };
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "EFBIG")) return undefined;
    throw error;
  }
}

/** Reads a file in one piece of its size: a generation never changes, so it has no other by the time it is read. */
async function readWhole(files: Files, path: string): Promise<Uint8Array> {
  const file = await files.open(path, "read-no-follow");
  try {
    const { size } = await file.stat();
    if (size > maxFileBytes) throw Object.assign(new Error("EFBIG"), { code: "EFBIG" });
    const bytes = new Uint8Array(size);
    let done = 0;
    while (done < size) {
      const count = await file.read(bytes.subarray(done), done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}

function alteredFiles(bytes: RegistryBytes, record: GenerationRecord | undefined): string[] {
  if (record === undefined) return [recordName];
  const kinds = ["catalog", "lock", "state"] as const;
  return kinds.filter((kind) => sha256(bytes[kind]) !== record.files[kind]).map((kind) => fileNames[kind]);
}

/** Bytes with the digest of what gum wrote are UTF-8, and the fast decoder will do. */
function provenTexts({ catalog, lock, state }: RegistryBytes): RegistryTexts {
  const text = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
  return { catalog: text(catalog), lock: text(lock), state: text(state) };
}

/** Undefined when a file is not UTF-8. */
function textsOf({ catalog, lock, state }: RegistryBytes): RegistryTexts | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return { catalog: decoder.decode(catalog), lock: decoder.decode(lock), state: decoder.decode(state) };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
