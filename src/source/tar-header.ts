import { entryName, unsafeArchive, unsafeEntry } from "./entry-path.ts";

export const tarBlock = 512;

/** One header block, as far as gum uses it. */
export interface TarHeader {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly linkName: string;
}

/** What an extended header says instead of the header behind it. */
export interface Overrides {
  readonly path?: string;
  readonly linkpath?: string;
  readonly size?: number;
}

/** Reads a header block; undefined for the block of zeros that ends an archive. */
export function readTarHeader(block: Uint8Array): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== octal(block.subarray(148, 156))) throw unsafeArchive("has a damaged tar header");
  const prefix = isUstar(block) ? textOf(block.subarray(345, 500)) : "";
  const name = textOf(block.subarray(0, 100));
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    type: String.fromCharCode(block[156] ?? 0),
    size: sizeOf(block.subarray(124, 136)),
    mode: octal(block.subarray(100, 108)),
    linkName: textOf(block.subarray(157, 257)),
  };
}

/** Only POSIX headers have a prefix; GNU keeps other things in its place. */
function isUstar(block: Uint8Array): boolean {
  return String.fromCharCode(...block.subarray(257, 263)) === "ustar\0";
}

const understood = new Set(["path", "linkpath", "size"]);

/** Reads the records `<length> <key>=<value>\n` of an extended header. */
export function readPax(bytes: Uint8Array, scope: "entry" | "archive"): Overrides {
  const found: { path?: string; linkpath?: string; size?: number } = {};
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = /^[1-9]\d{0,6}$/.exec(space < 0 ? "" : textOf(bytes.subarray(at, space)));
    const end = at + Number(length?.[0] ?? 0);
    if (length === null || end > bytes.length || end <= space + 1 || bytes[end - 1] !== 0x0a)
      throw unsafeArchive("has a damaged extended header");
    const sign = bytes.subarray(space + 1, end).indexOf(0x3d);
    if (sign < 1) throw unsafeArchive("has a damaged extended header");
    const key = entryName(bytes.subarray(space + 1, space + 1 + sign));
    const value = bytes.subarray(space + 2 + sign, end - 1);
    if (key.startsWith("GNU.sparse.")) throw unsafeArchive("has sparse files, which gum does not read");
    if (understood.has(key) && scope === "archive") throw unsafeArchive(`sets ${key} for all its entries`);
    // Other values, such as extended attributes, need not be text and are not kept.
    if (key === "path" || key === "linkpath") found[key] = entryName(value);
    if (key === "size") found.size = decimal(entryName(value));
    at = end;
  }
  return found;
}

/** A name with the zero byte that ends it cut off. */
export function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return entryName(end < 0 ? bytes : bytes.subarray(0, end));
}

function octal(field: Uint8Array): number {
  const text = String.fromCharCode(...field)
    .replace(/[\0 ]+$/, "")
    .trimStart();
  if (text === "") return 0;
  if (!/^[0-7]+$/.test(text)) throw unsafeArchive("has a damaged tar header");
  return Number.parseInt(text, 8);
}

/** Sizes beyond 8 GiB are written in binary; such a file is larger than any plugin. */
function sizeOf(field: Uint8Array): number {
  if (((field[0] ?? 0) & 0x80) !== 0) throw unsafeEntry("", "is larger than any plugin may be");
  return octal(field);
}

function decimal(text: string): number {
  const size = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw unsafeArchive("has a damaged extended header");
  return size;
}
