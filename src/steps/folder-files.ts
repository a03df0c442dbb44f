// Files of a plugin's source folder. Nobody has checked its links yet, and what is read here may be shown: so a link at
// the end of a path is not followed, and none on the way may lead out of the folder (T5).
import { dirname, join } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Files, ReadOptions } from "../host/host.ts";

/** The bytes of a file below the folder; ELOOP for a link, EXDEV where a folder on the way leaves. */
export async function readInside(
  files: Files,
  folder: string,
  relative: string,
  options: Pick<ReadOptions, "maxBytes">,
): Promise<Uint8Array> {
  const path = join(folder, relative);
  await realInside(files, folder, dirname(path));
  return files.readBytes(path, { ...options, noFollow: true });
}

/** The names in a folder below the plugin's folder, none where it is absent; EXDEV where it leaves. */
export async function namesInside(files: Files, folder: string, relative: string): Promise<string[]> {
  const path = join(folder, relative);
  try {
    await realInside(files, folder, path);
    return await files.list(path);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/** The real path, which is the folder's own or below it; else the errno error EXDEV. */
export async function realInside(files: Files, folder: string, path: string): Promise<string> {
  const root = await files.realpath(folder);
  const real = await files.realpath(path);
  if (real === root || real.startsWith(join(root, "/"))) return real;
  throw Object.assign(new Error("EXDEV: a link leads out of the folder"), { code: "EXDEV" });
}
