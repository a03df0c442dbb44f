import { createHash } from "node:crypto";
import { dirname, join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { readable, type SourceEntry, unsafe } from "../registry/survey.ts";
import { sortedByPath } from "../registry/tree.ts";
import type { PackEntry, ReadEntry } from "../trust/pack-entry.ts";

/** An archive that was written. */
export interface WrittenArchive {
  readonly sha256: string;
  readonly size: number;
}

const pieceBytes = 1 << 20;

/** Writes the entries of a folder as .zip or .tgz, as the file's name says; it appears whole or not at all. */
export async function writeArchive(
  host: Host,
  root: string,
  entries: readonly SourceEntry[],
  file: string,
  signal: AbortSignal,
): Promise<WrittenArchive> {
  const sorted = sortedByPath(entries);
  const byPath = new Map(sorted.map((entry) => [entry.path, entry]));
  const read: ReadEntry = (entry) => readEntry(host, root, byPath, entry, signal);
  const bytes = file.endsWith(".zip")
    ? (await import("../trust/zip-writer.ts")).zipBytes(sorted.map(packed), read)
    : (await import("../trust/tar-writer.ts")).tarGzip(sorted.map(packed), read);
  const draft = `${file}.${host.randomHex(8)}.new`;
  try {
    const written = await writeDraft(host, draft, bytes, signal);
    await host.files.rename(draft, file);
    await host.files.syncFolder(dirname(file));
    return written;
  } catch (error) {
    await host.files.removeTree(draft);
    throw asWriteFault(error, file);
  }
}

async function writeDraft(
  host: Host,
  draft: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<WrittenArchive> {
  const into = await host.files.open(draft, "write-new");
  try {
    const hash = createHash("sha256");
    let size = 0;
    for await (const piece of bytes) {
      signal.throwIfAborted();
      hash.update(piece);
      size += piece.length;
      await into.write(piece);
    }
    await into.chmod(0o644);
    await into.sync();
    return { sha256: hash.digest("hex"), size };
  } finally {
    await into.close();
  }
}

function packed({ path, facts, target }: SourceEntry): PackEntry {
  const kind = facts.kind === "folder" || facts.kind === "link" ? facts.kind : "file";
  return {
    path,
    kind,
    executable: kind === "file" && (facts.mode & 0o111) !== 0,
    size: kind === "file" ? facts.size : 0,
    target,
  };
}

/** Reads the very file that was looked at, and exactly as much as was announced. */
async function* readEntry(
  host: Host,
  root: string,
  byPath: ReadonlyMap<string, SourceEntry>,
  { path, size }: PackEntry,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const seen = byPath.get(path)?.facts;
  const file = await readable(path, () => host.files.open(join(root, path), "read-no-follow"));
  try {
    const opened = await file.stat();
    const same = opened.ino === seen?.ino && opened.dev === seen.dev && opened.size === size;
    if (opened.kind !== "file" || !same) throw unsafe(path, "changed while it was packed");
    let done = 0;
    for (;;) {
      signal.throwIfAborted();
      const piece = new Uint8Array(Math.min(pieceBytes, size - done + 1));
      const count = await readable(path, () => file.read(piece, done));
      done += count;
      if (done > size || (count === 0 && done < size)) throw unsafe(path, "changed while it was packed");
      if (count === 0) return;
      yield piece.subarray(0, count);
    }
  } finally {
    await file.close();
  }
}

function asWriteFault(error: unknown, file: string): unknown {
  if (!isErrno(error, "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "ENOENT", "ENOTDIR", "EISDIR"))
    return error;
  const errno = error instanceof Error && "code" in error ? String(error.code) : "EIO";
  return new GumError("USAGE", `Cannot write the archive ${file}: ${errno}.`, {
    hint: "name another file with --out",
    cause: error,
  });
}
