// The same entries always give the same bytes: ustar headers, with a pax header where a name does not fit one.
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type PackEntry, packedMode, type ReadEntry } from "./pack-entry.ts";

const blockBytes = 512;
/** 1980-01-01, the first day that a zip can say too. */
const fixedTime = 315_532_800;
const nameBytes = 100;
const utf8 = new TextEncoder();

/** A gzipped tar of the entries, in the order given. */
export async function* tarGzip(
  entries: readonly PackEntry[],
  read: ReadEntry,
): AsyncGenerator<Uint8Array, void> {
  const gzip = createGzip({ level: 9 });
  const fed = pipeline(tarBytes(entries, read), gzip);
  // Its failure also ends the loop below, which is where it is told.
  fed.catch(() => undefined);
  let isFirst = true;
  for await (const chunk of gzip) {
    const bytes: Uint8Array = chunk;
    // The tenth byte names the operating system, which must not show.
    if (isFirst) bytes[9] = 255;
    isFirst = false;
    yield bytes;
  }
  await fed;
}

/** A tar of the entries, in the order given. */
export async function* tarBytes(
  entries: readonly PackEntry[],
  read: ReadEntry,
): AsyncGenerator<Uint8Array, void> {
  for (const entry of entries) {
    yield entryHead(entry);
    if (entry.kind !== "file") continue;
    for await (const piece of read(entry)) yield piece;
    yield padding(entry.size);
  }
  yield new Uint8Array(2 * blockBytes);
}

function entryHead(entry: PackEntry): Uint8Array {
  const path = entry.kind === "folder" ? `${entry.path}/` : entry.path;
  const records = [...paxRecord("path", path), ...paxRecord("linkpath", entry.target)].join("");
  const own = header({
    path,
    mode: packedMode(entry),
    size: entry.size,
    type: entry.kind === "file" ? "0" : entry.kind === "link" ? "2" : "5",
    target: entry.target,
  });
  if (records === "") return own;
  const body = utf8.encode(records);
  const pax = header({ path: "pax", mode: 0o644, size: body.length, type: "x", target: "" });
  return joined([pax, body, padding(body.length), own]);
}

/** A pax record for a text that a ustar field cannot hold; none for any other. */
function paxRecord(key: string, text: string): string[] {
  const bytes = utf8.encode(text).length;
  if (bytes <= nameBytes && bytes === text.length) return [];
  const rest = utf8.encode(` ${key}=${text}\n`).length;
  // The length counts its own digits, too.
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return [`${length} ${key}=${text}\n`];
}

interface Fields {
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  readonly type: string;
  readonly target: string;
}

function header({ path, mode, size, type, target }: Fields): Uint8Array {
  const block = new Uint8Array(blockBytes);
  const put = (text: string, at: number, room: number): void =>
    void utf8.encodeInto(text, block.subarray(at, at + room));
  put(path, 0, nameBytes);
  put(octal(mode, 7), 100, 8);
  put(octal(0, 7), 108, 8);
  put(octal(0, 7), 116, 8);
  put(octal(size, 11), 124, 12);
  put(octal(fixedTime, 11), 136, 12);
  put(" ".repeat(8), 148, 8);
  put(type, 156, 1);
  put(target, 157, nameBytes);
  put("ustar\u000000", 257, 8);
  put(octal(0, 7), 329, 8);
  put(octal(0, 7), 337, 8);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${octal(sum, 6)}\u0000 `, 148, 8);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function padding(size: number): Uint8Array {
  return new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
