import { GumError } from "../base/errors.ts";
import type { OpenFile } from "../host/host.ts";

/** Part of a file by position; reading past the end gives fewer bytes. */
export async function readAt(file: OpenFile, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = await file.read(bytes.subarray(done), position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

const blockBytes = 1 << 18;

/** The bytes of a file from one position up to another, block by block; each block is a buffer of its own. */
export async function* readRange(file: OpenFile, from: number, to: number): AsyncIterable<Uint8Array> {
  for (let at = from; at < to; ) {
    const block = await readAt(file, at, Math.min(blockBytes, to - at));
    if (block.length === 0) throw new GumError("PLUGIN_ARCHIVE_UNSAFE", "The archive ends too early.");
    at += block.length;
    yield block;
  }
}
