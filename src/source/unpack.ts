import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Host, OpenFile } from "../host/host.ts";
import { readAt } from "./byte-source.ts";
import { unsafeArchive } from "./entry-path.ts";
import { type UnpackLimits, unpackLimits } from "./limits.ts";
import { TreeWriter } from "./tree-writer.ts";

export interface UnpackOptions {
  readonly archive: string;
  /** A folder that does not exist yet, in a place that nobody else can reach. */
  readonly target: string;
  readonly signal: AbortSignal;
  readonly limits?: UnpackLimits | undefined;
  readonly onProgress?: ((done: number, total?: number) => void) | undefined;
}

export interface Unpacked {
  /** The folder with the plugin's files: the target, or the one folder that the archive has at its top. */
  readonly folder: string;
  readonly entries: number;
  readonly bytes: number;
}

/** Unpacks a .zip, .tar.gz or .tgz, told apart by their first bytes; anything unsafe is PLUGIN_ARCHIVE_UNSAFE. */
export async function unpackArchive(host: Host, options: UnpackOptions): Promise<Unpacked> {
  const { archive, target, signal, limits = unpackLimits } = options;
  const file = await host.files.open(archive, "read-no-follow");
  try {
    const { size } = await file.stat();
    await host.files.mkdir(target, { mode: 0o700 });
    const writer = new TreeWriter(host, { root: target, archiveBytes: size, limits, signal });
    await unpackInto(file, size, writer, limits, throttled(host, options.onProgress));
    await writer.finish();
    if (writer.entries === 0) throw unsafeArchive("is empty");
    return { folder: await topFolder(host, target), entries: writer.entries, bytes: writer.bytes };
  } finally {
    await file.close();
  }
}

async function unpackInto(
  file: OpenFile,
  size: number,
  writer: TreeWriter,
  limits: UnpackLimits,
  onEntry: (done: number, total?: number) => void,
): Promise<void> {
  const [first, second] = await readAt(file, 0, 4);
  if (first === 0x50 && second === 0x4b) {
    const { unpackZip } = await import("./zip.ts");
    return unpackZip(file, size, writer, limits, onEntry);
  }
  if (first === 0x1f && second === 0x8b) {
    const [{ unpackTar }, { gunzip }] = await Promise.all([import("./tar.ts"), import("./gzip.ts")]);
    return unpackTar(gunzip(file, size), writer, onEntry);
  }
  throw new GumError("PLUGIN_FETCH_FAILED", "The source is neither a .zip nor a .tar.gz file.", {
    hint: "check that the path or address leads to the archive itself and not to a page about it",
  });
}

/** Files that the Finder adds beside what was packed. */
const ignoredAtTop = "__MACOSX";

/** Archives of a repository have one folder at their top, which is stepped into. */
async function topFolder(host: Host, target: string): Promise<string> {
  const names = (await host.files.list(target)).filter((name) => name !== ignoredAtTop);
  const [only] = names;
  if (names.length !== 1 || only === undefined) return target;
  const { kind } = await host.files.lstat(join(target, only));
  return kind === "folder" ? join(target, only) : target;
}

const entriesPerNews = 64;

function throttled(host: Host, tell: UnpackOptions["onProgress"]): (done: number, total?: number) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    if (tell === undefined || (done % entriesPerNews !== 0 && done !== total)) return;
    const now = host.clock.monotonic();
    if (now - last < 50 && done !== total) return;
    last = now;
    tell(done, total);
  };
}
