// The directory of a ZIP file (APPNOTE 6.3), read strictly: one directory, directly before the end record, which is
// the end of the file. Readers that disagree about a file are what hostile archives live on.
import type { OpenFile } from "../host/host.ts";
import { readAt } from "./byte-source.ts";
import { entryName, unsafeArchive, unsafeEntry } from "./entry-path.ts";
import type { UnpackLimits } from "./limits.ts";

/** One entry as the central directory describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly nameBytes: Uint8Array;
  readonly flags: number;
  readonly method: "stored" | "deflated";
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
  readonly kind: "file" | "folder" | "link";
  readonly executable: boolean;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** Where the directory begins, and so where the last entry's data ends. */
  readonly start: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const entryBytes = 46;
const longestComment = 0xffff;
const mostDirectoryBytes = 64 * 2 ** 20;
const absent16 = 0xffff;
const absent32 = 0xffff_ffff;

/** Bits of the flags: encrypted in one of three ways, or patched data. */
const refusedFlags = 0x0001 | 0x0020 | 0x0040 | 0x2000;

/** Reads and checks the whole directory before anything is unpacked. */
export async function readZipDirectory(
  file: OpenFile,
  size: number,
  limits: UnpackLimits,
): Promise<ZipDirectory> {
  const end = await findEnd(file, size);
  if (end.count > limits.entries) throw unsafeArchive(`has more than ${limits.entries} entries`);
  if (end.length > mostDirectoryBytes) throw unsafeArchive("has too large a directory");
  if (end.start + end.length !== end.at) throw unsafeArchive("has data between its directory and its end");
  const bytes = await readAt(file, end.start, end.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + entryBytes > bytes.length || view.getUint32(at, true) !== entrySignature)
      throw unsafeArchive("has a damaged directory");
    const length =
      entryBytes +
      view.getUint16(at + 28, true) +
      view.getUint16(at + 30, true) +
      view.getUint16(at + 32, true);
    if (at + length > bytes.length) throw unsafeArchive("has a damaged directory");
    entries.push(readEntry(bytes.subarray(at, at + length)));
    at += length;
  }
  if (entries.length !== end.count)
    throw unsafeArchive(`has ${entries.length} entries but says ${end.count}`);
  return { entries, start: end.start };
}

interface End {
  readonly at: number;
  readonly count: number;
  readonly start: number;
  readonly length: number;
}

/** The end record; a file in which two could be meant is refused. */
async function findEnd(file: OpenFile, size: number): Promise<End> {
  const from = Math.max(0, size - endBytes - longestComment);
  const tail = await readAt(file, from, size - from);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const found: number[] = [];
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (view.getUint32(at, true) !== endSignature) continue;
    if (at + endBytes + view.getUint16(at + 20, true) === tail.length) found.push(at);
  }
  const [at, second] = found;
  if (at === undefined) throw unsafeArchive("is cut off, or has data behind its end");
  if (second !== undefined) throw unsafeArchive("has two ends");
  const [disk, firstDisk, here, count] = [4, 6, 8, 10].map((offset) => view.getUint16(at + offset, true));
  const [length = 0, start = 0] = [12, 16].map((offset) => view.getUint32(at + offset, true));
  if (count === absent16 || length === absent32 || start === absent32) throw zip64();
  if (disk !== 0 || firstDisk !== 0 || here !== count) throw unsafeArchive("is one part of several");
  return { at: from + at, count: count ?? 0, start, length };
}

function readEntry(record: Uint8Array): ZipEntry {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const nameBytes = record.subarray(entryBytes, entryBytes + view.getUint16(28, true));
  const name = entryName(nameBytes);
  const flags = view.getUint16(8, true);
  if ((flags & refusedFlags) !== 0) throw unsafeEntry(name, "is encrypted or patched");
  const [packedSize = 0, size = 0, offset = 0] = [20, 24, 42].map((at) => view.getUint32(at, true));
  if (packedSize === absent32 || size === absent32 || offset === absent32) throw zip64();
  if (view.getUint16(34, true) !== 0) throw unsafeArchive("is one part of several");
  const method = methodOf(name, view.getUint16(10, true));
  if (method === "stored" && packedSize !== size)
    throw unsafeEntry(name, "is stored in another size than it declares");
  const { kind, executable } = kindOf(name, view.getUint16(4, true) >> 8, view.getUint32(38, true));
  if (kind === "folder" && size !== 0) throw unsafeEntry(name, "is a folder with content");
  return {
    name,
    nameBytes,
    flags,
    method,
    crc: view.getUint32(16, true),
    packedSize,
    size,
    offset,
    kind,
    executable,
  };
}

function methodOf(name: string, method: number): ZipEntry["method"] {
  if (method === 0) return "stored";
  if (method === 8) return "deflated";
  throw unsafeEntry(name, `is packed by method ${method}, which gum does not read`);
}

const unixSystems = [3, 19];
const types = { mask: 0o170000, none: 0, file: 0o100000, folder: 0o040000, link: 0o120000 } as const;

/** Only archives made on Unix have a mode; elsewhere a slash at the end makes the folder. */
function kindOf(name: string, system: number, attributes: number): Pick<ZipEntry, "kind" | "executable"> {
  const mode = unixSystems.includes(system) ? attributes >>> 16 : 0;
  const type = mode & types.mask;
  const slash = name.endsWith("/");
  if (slash && type !== types.none && type !== types.folder)
    throw unsafeEntry(name, "is named like a folder and is none");
  if (slash || type === types.folder) return { kind: "folder", executable: false };
  if (type === types.link) return { kind: "link", executable: false };
  if (type !== types.none && type !== types.file) throw unsafeEntry(name, "is a device, a FIFO or a socket");
  return { kind: "file", executable: (mode & 0o111) !== 0 };
}

function zip64(): Error {
  return unsafeArchive("uses Zip64, which is for archives larger than gum takes");
}
