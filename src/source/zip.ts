import type { OpenFile } from "../host/host.ts";
import { readAt, readRange } from "./byte-source.ts";
import { entryName, unsafeArchive, unsafeEntry } from "./entry-path.ts";
import { BrokenStream, inflateRaw } from "./inflate.ts";
import type { UnpackLimits } from "./limits.ts";
import type { TreeWriter } from "./tree-writer.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const localBytes = 30;
const sizesFollow = 0x0008;
const comparedFlags = 0x0809;
const longestLink = 4096;

/** Unpacks a ZIP file. The directory and every entry's own header must tell the same story, without gaps. */
export async function unpackZip(
  file: OpenFile,
  size: number,
  writer: TreeWriter,
  limits: UnpackLimits,
  onEntry: (done: number, total: number) => void,
): Promise<void> {
  const { entries, start } = await readZipDirectory(file, size, limits);
  const placed = await placeEntries(file, entries, start);
  for (const [index, { entry, dataAt }] of placed.entries()) {
    await unpackEntry(file, entry, dataAt, writer);
    onEntry(index + 1, placed.length);
  }
}

interface PlacedEntry {
  readonly entry: ZipEntry;
  readonly dataAt: number;
}

/** Proves that the entries follow each other from the first byte to the directory: none overlaps, nothing hides. */
async function placeEntries(
  file: OpenFile,
  entries: readonly ZipEntry[],
  directoryAt: number,
): Promise<PlacedEntry[]> {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  const placed: PlacedEntry[] = [];
  let expected = 0;
  for (const [index, entry] of sorted.entries()) {
    if (entry.offset !== expected)
      throw unsafeEntry(entry.name, "overlaps another entry, or hides data before it");
    const dataAt = await checkLocalHeader(file, entry);
    const end = dataAt + entry.packedSize;
    const next = sorted[index + 1]?.offset ?? directoryAt;
    await checkDescriptor(file, entry, end, next);
    expected = next;
    placed.push({ entry, dataAt });
  }
  if (expected !== directoryAt) throw unsafeArchive("has data before its first entry");
  return placed;
}

async function checkLocalHeader(file: OpenFile, entry: ZipEntry): Promise<number> {
  const bytes = await readAt(file, entry.offset, localBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < localBytes || view.getUint32(0, true) !== localSignature)
    throw unsafeEntry(entry.name, "has no header of its own");
  const nameLength = view.getUint16(26, true);
  const name = await readAt(file, entry.offset + localBytes, nameLength);
  const said = [view.getUint32(14, true), view.getUint32(18, true), view.getUint32(22, true)];
  const listed = [entry.crc, entry.packedSize, entry.size];
  const follow = (entry.flags & sizesFollow) !== 0;
  const same =
    sameBytes(name, entry.nameBytes) &&
    ((view.getUint16(6, true) ^ entry.flags) & comparedFlags) === 0 &&
    view.getUint16(8, true) === (entry.method === "stored" ? 0 : 8) &&
    said.every((value, index) => value === listed[index] || (follow && value === 0));
  if (!same) throw unsafeEntry(entry.name, "is described differently in the directory and before its data");
  return entry.offset + localBytes + nameLength + view.getUint16(28, true);
}

/** Between an entry's data and the next header there is nothing, or the sizes that its header had left open. */
async function checkDescriptor(file: OpenFile, entry: ZipEntry, end: number, next: number): Promise<void> {
  const gap = next - end;
  if ((entry.flags & sizesFollow) === 0) {
    if (gap !== 0) throw unsafeEntry(entry.name, "overlaps another entry, or hides data behind it");
    return;
  }
  const bytes = gap === 12 || gap === 16 ? await readAt(file, end, gap) : new Uint8Array();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = gap - 12;
  const fits =
    bytes.length === gap &&
    (gap === 12 || (gap === 16 && view.getUint32(0, true) === descriptorSignature)) &&
    view.getUint32(at, true) === entry.crc &&
    view.getUint32(at + 4, true) === entry.packedSize &&
    view.getUint32(at + 8, true) === entry.size;
  if (!fits) throw unsafeEntry(entry.name, "is described differently in the directory and behind its data");
}

async function unpackEntry(
  file: OpenFile,
  entry: ZipEntry,
  dataAt: number,
  writer: TreeWriter,
): Promise<void> {
  if (entry.kind === "folder") return writer.folder(entry.name);
  if (entry.kind === "link") return writer.link(entry.name, await linkTarget(file, entry, dataAt));
  await writer.file(entry.name, entry, contentOf(file, entry, dataAt));
}

async function linkTarget(file: OpenFile, entry: ZipEntry, dataAt: number): Promise<string> {
  if (entry.size > longestLink) throw unsafeEntry(entry.name, "is a link with too long a target");
  const bytes = new Uint8Array(entry.size);
  let done = 0;
  for await (const block of contentOf(file, entry, dataAt)) {
    if (done + block.length > entry.size) throw unsafeEntry(entry.name, "holds more than it declares");
    bytes.set(block, done);
    done += block.length;
  }
  return entryName(bytes.subarray(0, done));
}

/** The entry's bytes, proven at their end: the stream took exactly its room, and the check sum fits. */
async function* contentOf(file: OpenFile, entry: ZipEntry, dataAt: number): AsyncIterable<Uint8Array> {
  const { crc32 } = await import("node:zlib");
  const packed = readRange(file, dataAt, dataAt + entry.packedSize);
  const inflated = entry.method === "deflated" ? await inflateRaw(packed) : undefined;
  let crc = 0;
  try {
    for await (const block of inflated?.blocks ?? packed) {
      crc = crc32(block, crc);
      yield block;
    }
  } catch (error) {
    if (error instanceof BrokenStream)
      throw unsafeEntry(entry.name, "cannot be unpacked: its data is damaged");
    throw error;
  }
  if (inflated !== undefined && inflated.consumed() !== entry.packedSize)
    throw unsafeEntry(entry.name, "hides data behind its content");
  if (crc !== entry.crc) throw unsafeEntry(entry.name, "does not have the check sum that it declares");
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
