import { BlockReader } from "./block-reader.ts";
import { unsafeArchive, unsafeEntry } from "./entry-path.ts";
import { type Overrides, readPax, readTarHeader, type TarHeader, tarBlock, textOf } from "./tar-header.ts";
import type { TreeWriter } from "./tree-writer.ts";

const longestExtension = 1 << 20;
const mostExtensions = 64 << 20;
const longestPadding = 1 << 20;

/** Why an entry of this type is refused. */
const refusedTypes: Readonly<Record<string, string>> = {
  "1": "is a hard link",
  "3": "is a device, a FIFO or a socket",
  "4": "is a device, a FIFO or a socket",
  "6": "is a device, a FIFO or a socket",
  S: "is a sparse file, which gum does not read",
  M: "is the rest of a file in another archive",
  V: "is a volume name, which gum does not read",
};

/** Unpacks a tar stream: POSIX (ustar, pax) and the long names of GNU. */
export async function unpackTar(
  blocks: AsyncIterable<Uint8Array>,
  writer: TreeWriter,
  onEntry: (done: number) => void,
): Promise<void> {
  const reader = new BlockReader(blocks);
  try {
    let extensions = 0;
    let overrides: Overrides = {};
    for (;;) {
      const block = await reader.take(tarBlock);
      if (block === undefined) throw unsafeArchive("is cut off");
      const header = readTarHeader(block);
      if (header === undefined) break;
      if (isExtension(header)) {
        extensions += header.size + tarBlock;
        if (header.size > longestExtension || extensions > mostExtensions)
          throw unsafeArchive("has too long an extended header");
        overrides = { ...overrides, ...(await readExtension(header, reader)) };
        continue;
      }
      await unpackEntry(merged(header, overrides), reader, writer);
      overrides = {};
      onEntry(writer.entries);
    }
    if (Object.keys(overrides).length > 0) throw unsafeArchive("ends in an extended header");
    await checkPadding(reader);
  } finally {
    await reader.close();
  }
}

function isExtension({ type }: TarHeader): boolean {
  return ["x", "g", "L", "K"].includes(type);
}

async function readExtension(header: TarHeader, reader: BlockReader): Promise<Overrides> {
  const bytes = (await reader.take(header.size)) ?? new Uint8Array();
  await skipPadding(header.size, reader);
  switch (header.type) {
    case "L":
      return { path: textOf(bytes) };
    case "K":
      return { linkpath: textOf(bytes) };
    case "g":
      return readPax(bytes, "archive");
    default:
      return readPax(bytes, "entry");
  }
}

function merged(header: TarHeader, overrides: Overrides): TarHeader {
  return {
    ...header,
    name: overrides.path ?? header.name,
    linkName: overrides.linkpath ?? header.linkName,
    size: overrides.size ?? header.size,
  };
}

async function unpackEntry(header: TarHeader, reader: BlockReader, writer: TreeWriter): Promise<void> {
  const { name, type, size } = header;
  const refused = refusedTypes[type];
  if (refused !== undefined) throw unsafeEntry(name, refused);
  if ((type === "5" || type === "2") && size !== 0) throw unsafeEntry(name, "is no file and has content");
  switch (type) {
    case "5":
      return writer.folder(name);
    case "2":
      return writer.link(name, header.linkName);
    case "0":
    case "7":
    case "\0":
      if (name.endsWith("/")) {
        if (size !== 0) throw unsafeEntry(name, "is a folder with content");
        return writer.folder(name);
      }
      await writer.file(name, { size, executable: (header.mode & 0o111) !== 0 }, reader.parts(size));
      return skipPadding(size, reader);
    default:
      throw unsafeEntry(name, "is of a type that gum does not know");
  }
}

async function skipPadding(size: number, reader: BlockReader): Promise<void> {
  await reader.take((tarBlock - (size % tarBlock)) % tarBlock);
}

/** Behind the end there are zeros to fill the last record, and nothing else. */
async function checkPadding(reader: BlockReader): Promise<void> {
  let length = 0;
  for await (const part of reader.remainder()) {
    length += part.length;
    if (part.some((byte) => byte !== 0)) throw unsafeArchive("has data behind its end");
    if (length > longestPadding) throw unsafeArchive("has too much behind its end");
  }
}
