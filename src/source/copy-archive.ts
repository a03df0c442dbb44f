import { createHash } from "node:crypto";
import { basename } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host, OpenFile } from "../host/host.ts";
import type { Downloaded } from "./download.ts";
import { intoStaging } from "./into-staging.ts";
import { fetchLimits } from "./limits.ts";

const blockBytes = 1 << 20;

/** Copies a local archive to a private file, hashed from the very bytes: what is checked is what is unpacked. */
export async function copyArchive(
  host: Host,
  path: string,
  target: string,
  signal: AbortSignal,
  onProgress?: (done: number, total?: number) => void,
): Promise<Downloaded> {
  const from = await openArchive(host, path);
  try {
    const { size: total } = await from.stat();
    if (total > fetchLimits.archiveBytes)
      throw unreadable(path, `is larger than ${fetchLimits.archiveBytes} bytes`);
    const hash = createHash("sha256");
    const block = new Uint8Array(blockBytes);
    let size = 0;
    const into = await intoStaging("fetch", () => host.files.open(target, "write-new"));
    try {
      for (let count = await from.read(block, 0); count > 0; count = await from.read(block, size)) {
        signal.throwIfAborted();
        size += count;
        if (size > fetchLimits.archiveBytes)
          throw unreadable(path, `is larger than ${fetchLimits.archiveBytes} bytes`);
        const part = block.subarray(0, count);
        hash.update(part);
        await intoStaging("fetch", () => into.write(part));
        onProgress?.(size, total);
        await host.clock.sleep(0);
      }
    } finally {
      await into.close();
    }
    return { sha256: hash.digest("hex"), size };
  } finally {
    await from.close();
  }
}

/** Opens an archive that the user named; a name that leads nowhere is told as such. */
async function openArchive(host: Host, path: string): Promise<OpenFile> {
  try {
    const file = await host.files.open(path, "read");
    const { kind } = await file.stat();
    if (kind === "file") return file;
    await file.close();
    throw unreadable(path, kind === "folder" ? "is a folder" : "is no regular file", {
      hint: "name the folder with a slash at its end to install it as a folder",
    });
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) throw unreadable(path, "does not exist", { cause: error });
    if (isErrno(error, "EACCES", "EPERM")) throw unreadable(path, "cannot be read", { cause: error });
    if (isErrno(error, "ELOOP", "ENXIO", "EIO", "EISDIR"))
      throw unreadable(path, "is no regular file", { cause: error });
    throw error;
  }
}

function unreadable(path: string, why: string, info: { hint?: string; cause?: unknown } = {}): GumError {
  return new GumError("PLUGIN_FETCH_FAILED", `The archive ${basename(path)} ${why}.`, info);
}
