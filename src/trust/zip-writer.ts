// The same entries always give the same bytes: fixed times, no extra fields, sizes in front of the data.
import { crc32, deflateRawSync } from "node:zlib";
import { GumError } from "../base/errors.ts";
import { type PackEntry, packedMode, type ReadEntry } from "./pack-entry.ts";

const utf8 = new TextEncoder();
const maxEntries = 65_535;
/** A file is compressed in memory, since its size has to stand in front of it. */
const maxFileBytes = 512 << 20;
const maxOffset = 0xffff_ffff;
/** 1980-01-01 00:00 in the format of DOS. */
const fixedDate = 0x0021;
const version = 20;
const madeByUnix = 3 << 8;
const utf8Names = 1 << 11;
const fileTypes = { file: 0o100_000, folder: 0o040_000, link: 0o120_000 } as const;

interface Listed {
  readonly entry: PackEntry;
  readonly name: Uint8Array;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** A zip of the entries, in the order given. */
export async function* zipBytes(
  entries: readonly PackEntry[],
  read: ReadEntry,
): AsyncGenerator<Uint8Array, void> {
  if (entries.length > maxEntries) throw tooLarge(`more than ${maxEntries} entries`);
  const listed: Listed[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = await contentOf(entry, read);
    const deflated = content.length === 0 ? content : deflateRawSync(content, { level: 9 });
    const smaller = deflated.length < content.length;
    const data = smaller ? deflated : content;
    const name = utf8.encode(entry.kind === "folder" ? `${entry.path}/` : entry.path);
    const one: Listed = {
      entry,
      name,
      method: smaller ? 8 : 0,
      crc: crc32(content),
      packed: data.length,
      size: content.length,
      offset,
    };
    listed.push(one);
    yield localHeader(one);
    yield data;
    offset += localHeaderBytes + name.length + data.length;
    if (offset > maxOffset) throw tooLarge("more than 4 GiB");
  }
  let directory = 0;
  for (const one of listed) {
    const line = centralHeader(one);
    directory += line.length;
    yield line;
  }
  yield endRecord(listed.length, directory, offset);
}

async function contentOf(entry: PackEntry, read: ReadEntry): Promise<Uint8Array> {
  if (entry.kind === "folder") return new Uint8Array(0);
  if (entry.kind === "link") return utf8.encode(entry.target);
  if (entry.size > maxFileBytes) throw tooLarge("a file of more than 512 MiB");
  const content = new Uint8Array(entry.size);
  let at = 0;
  for await (const piece of read(entry)) {
    content.set(piece, at);
    at += piece.length;
  }
  return content;
}

function tooLarge(what: string): GumError {
  return new GumError("USAGE", `The plugin holds ${what}, which a .zip of gum cannot.`, {
    hint: "pack it as .tgz: name the file with --out",
  });
}

const localHeaderBytes = 30;
const centralHeaderBytes = 46;

function localHeader(one: Listed): Uint8Array {
  const block = new Uint8Array(localHeaderBytes + one.name.length);
  const view = new DataView(block.buffer);
  view.setUint32(0, 0x0403_4b50, true);
  putShared(view, 4, one);
  block.set(one.name, localHeaderBytes);
  return block;
}

function centralHeader(one: Listed): Uint8Array {
  const block = new Uint8Array(centralHeaderBytes + one.name.length);
  const view = new DataView(block.buffer);
  view.setUint32(0, 0x0201_4b50, true);
  view.setUint16(4, madeByUnix | version, true);
  putShared(view, 6, one);
  const mode = fileTypes[one.entry.kind] | packedMode(one.entry);
  const isFolder = one.entry.kind === "folder" ? 0x10 : 0;
  view.setUint32(38, ((mode << 16) | isFolder) >>> 0, true);
  view.setUint32(42, one.offset, true);
  block.set(one.name, centralHeaderBytes);
  return block;
}

/** The fields that both headers have, from the version that is needed to the length of the name. */
function putShared(view: DataView, at: number, { method, crc, packed, size, name }: Listed): void {
  view.setUint16(at, version, true);
  view.setUint16(at + 2, utf8Names, true);
  view.setUint16(at + 4, method, true);
  view.setUint16(at + 6, 0, true);
  view.setUint16(at + 8, fixedDate, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, packed, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
}

function endRecord(count: number, directory: number, offset: number): Uint8Array {
  const block = new Uint8Array(22);
  const view = new DataView(block.buffer);
  view.setUint32(0, 0x0605_4b50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, directory, true);
  view.setUint32(16, offset, true);
  return block;
}
