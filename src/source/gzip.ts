// A gzip file of exactly one member (RFC 1952): what stands behind it would be seen by some readers and not by others.
import type { OpenFile } from "../host/host.ts";
import { readAt, readRange } from "./byte-source.ts";
import { unsafeArchive } from "./entry-path.ts";
import { BrokenStream, inflateRaw } from "./inflate.ts";

const longestHeader = 1 << 16;
const trailerBytes = 8;
const flag = { crc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** The content block by block; the end of the file, its length and its check sum are proven at the end. */
export async function* gunzip(file: OpenFile, size: number): AsyncIterable<Uint8Array> {
  const { crc32 } = await import("node:zlib");
  const start = headerLength(await readAt(file, 0, Math.min(size, longestHeader)));
  const inflated = await inflateRaw(readRange(file, start, size));
  let crc = 0;
  let length = 0;
  try {
    for await (const block of inflated.blocks) {
      crc = crc32(block, crc);
      length += block.length;
      yield block;
    }
  } catch (error) {
    if (error instanceof BrokenStream)
      throw unsafeArchive("cannot be unpacked: its data is damaged or cut off");
    throw error;
  }
  const end = start + inflated.consumed();
  if (end + trailerBytes > size) throw unsafeArchive("is cut off");
  if (end + trailerBytes < size) throw unsafeArchive("has data behind its end");
  const trailer = await readAt(file, end, trailerBytes);
  const view = new DataView(trailer.buffer, trailer.byteOffset, trailer.byteLength);
  if (view.getUint32(0, true) !== crc || view.getUint32(4, true) !== length % 2 ** 32)
    throw unsafeArchive("does not have the check sum that it declares");
}

function headerLength(head: Uint8Array): number {
  const flags = head[3] ?? flag.reserved;
  if (head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8 || (flags & flag.reserved) !== 0)
    throw unsafeArchive("is no gzip file");
  let at = 10;
  if ((flags & flag.extra) !== 0) at += 2 + (head[at] ?? 0) + 256 * (head[at + 1] ?? 0);
  for (const text of [flag.name, flag.comment]) {
    if ((flags & text) === 0) continue;
    const end = head.indexOf(0, at);
    at = end < 0 ? head.length : end + 1;
  }
  if ((flags & flag.crc) !== 0) at += 2;
  if (at >= head.length) throw unsafeArchive("has too long a gzip header");
  return at;
}
