import { GumError, isErrno } from "../../base/errors.ts";
import { isRecord } from "../../base/record.ts";
import type { Files } from "../../host/host.ts";

export type Table = Readonly<Record<string, unknown>>;

/** The object in a JSON file; undefined when there is no such file. */
export async function readTable(files: Files, path: string): Promise<Table | undefined> {
  let text: string;
  try {
    text = await files.readText(path, { maxBytes: 1 << 22 });
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
  try {
    return tableOf(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    throw new GumError("PLUGIN_FETCH_FAILED", `The file ${path} is not JSON.`);
  }
}

/** The value as an object; an empty one for anything else. */
export function tableOf(value: unknown): Table {
  return isRecord(value) ? { ...value } : {};
}

/** The value when it is text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Whether a folder is there. */
export async function isFolder(files: Files, path: string): Promise<boolean> {
  return (await kindOf(files, path)) === "folder";
}

/** What a path leads to, links followed; undefined when it is not there. */
export async function kindOf(files: Files, path: string): Promise<string | undefined> {
  try {
    return (await files.stat(path)).kind;
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}
