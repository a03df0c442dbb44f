// Builds archives byte by byte, so that a test can lie in any field.
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === "string" ? new TextEncoder().encode(data) : data;

/** One entry of a ZIP file; everything after `data` is a lie or an extra. */
export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  readonly mode?: number;
  readonly stored?: boolean;
  readonly system?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly localName?: string;
  readonly localFlags?: number;
  readonly size?: number;
  readonly localSize?: number;
  readonly crc?: number;
  /** Sizes behind the data, with or without their signature. */
  readonly descriptor?: "signed" | "bare";
  readonly descriptorSize?: number;
  /** Bytes behind the deflate stream, counted as part of it. */
  readonly behind?: string;
  /** Bytes between this entry and the next. */
  readonly gap?: string;
  readonly offset?: number;
}

export interface ZipLies {
  readonly before?: string;
  readonly beforeEnd?: string;
  readonly comment?: string | Uint8Array;
  readonly after?: string;
  readonly count?: number;
}

export function zip(parts: readonly ZipPart[], lies: ZipLies = {}): Uint8Array {
  const blocks: Uint8Array[] = [bytesOf(lies.before ?? "")];
  const directory: Uint8Array[] = [];
  let at = blocks[0]?.length ?? 0;
  for (const part of parts) {
    const { local, central } = zipPart(part, part.offset ?? at);
    blocks.push(local);
    directory.push(central);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  const comment = bytesOf(lies.comment ?? "");
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lies.count ?? parts.length, 8);
  end.writeUInt16LE(lies.count ?? parts.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([
    ...blocks,
    central,
    bytesOf(lies.beforeEnd ?? ""),
    end,
    comment,
    bytesOf(lies.after ?? ""),
  ]);
}

function zipPart(part: ZipPart, offset: number): { local: Uint8Array; central: Uint8Array } {
  const data = bytesOf(part.data ?? "");
  const packed = Buffer.concat([part.stored ? data : deflateRawSync(data), bytesOf(part.behind ?? "")]);
  const name = bytesOf(part.name);
  const localName = bytesOf(part.localName ?? part.name);
  const follow = part.descriptor !== undefined;
  const flags = (part.flags ?? 0x0800) | (follow ? 8 : 0);
  const method = part.method ?? (part.stored ? 0 : 8);
  const crc = part.crc ?? crc32(data);
  const size = part.size ?? data.length;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(part.localFlags ?? flags, 6);
  local.writeUInt16LE(method, 8);
  if (!follow) {
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(part.localSize ?? size, 22);
  }
  local.writeUInt16LE(localName.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(((part.system ?? 3) << 8) | 20, 4);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(crc, 16);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(name.length, 28);
  central.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 38);
  central.writeUInt32LE(offset, 42);
  const descriptor = follow ? zipDescriptor(part, crc, packed.length, size) : Buffer.alloc(0);
  return {
    local: Buffer.concat([local, localName, packed, descriptor, bytesOf(part.gap ?? "")]),
    central: Buffer.concat([central, name]),
  };
}

function zipDescriptor(part: ZipPart, crc: number, packed: number, size: number): Uint8Array {
  const block = Buffer.alloc(16);
  block.writeUInt32LE(0x08074b50, 0);
  block.writeUInt32LE(crc, 4);
  block.writeUInt32LE(packed, 8);
  block.writeUInt32LE(part.descriptorSize ?? size, 12);
  return part.descriptor === "bare" ? block.subarray(4) : block;
}

export interface TarPart {
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  readonly type?: string;
  readonly mode?: number;
  readonly link?: string;
  readonly size?: number;
  readonly prefix?: string;
  readonly checksum?: number;
}

/** A tar file; `end` replaces the two blocks of zeros. */
export function tar(parts: readonly TarPart[], end: Uint8Array = new Uint8Array(1024)): Uint8Array {
  return Buffer.concat([...parts.map(tarPart), end]);
}

export function tgz(parts: readonly TarPart[], end?: Uint8Array): Uint8Array {
  return gzipSync(tar(parts, end));
}

/** An extended header (pax) with these records. */
export function pax(records: Readonly<Record<string, string | Uint8Array>>, type = "x"): TarPart {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.concat([bytesOf(` ${key}=`), bytesOf(value), bytesOf("\n")]);
    let length = rest.length + 1;
    while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
    return Buffer.concat([bytesOf(String(length)), rest]);
  });
  return { name: "PaxHeader", type, data: Buffer.concat(lines) };
}

function tarPart(part: TarPart): Uint8Array {
  const data = bytesOf(part.data ?? "");
  const header = Buffer.alloc(512);
  header.set(bytesOf(part.name).subarray(0, 100), 0);
  header.write(`${(part.mode ?? 0o644).toString(8).padStart(7, "0")}\0`, 100);
  header.write(`${(part.size ?? data.length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(part.type ?? "0", 156);
  header.write(part.link ?? "", 157);
  header.write("ustar\x0000", 257);
  header.write(part.prefix ?? "", 345);
  const sum = part.checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}
