import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { factsOf } from "./file-facts.ts";
import type { OpenFile, OpenMode } from "./host.ts";

const flags: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY | constants.O_NONBLOCK,
  "read-no-follow": constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
  "write-new": constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
};

const blockBytes = 1 << 20;
/** How many blocks are hashed before other work gets a turn. */
const blocksPerTurn = 16;

/** Opens a file; new files are private until their mode is set. */
export function openFile(path: string, how: OpenMode): OpenFile {
  const fd = openSync(path, flags[how], 0o600);
  let open = true;
  return {
    fd,
    stat: async () => factsOf(fstatSync(fd, { bigint: true })),
    read: async (buffer, position) => readSync(fd, buffer, 0, buffer.length, position),
    async write(data) {
      for (let done = 0; done < data.length; ) done += writeSync(fd, data, done, data.length - done);
    },
    chmod: async (mode) => fchmodSync(fd, mode),
    sync: async () => fsyncSync(fd),
    sha256: () => hashDescriptor(fd),
    async close() {
      if (!open) return;
      open = false;
      closeSync(fd);
    },
  };
}

async function hashDescriptor(fd: number): Promise<string> {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  const size = Number(fstatSync(fd).size);
  const block = new Uint8Array(Math.max(1, Math.min(blockBytes, size + 1)));
  let position = 0;
  for (let turn = 1; ; turn++) {
    const count = readSync(fd, block, 0, block.length, position);
    if (count === 0) return hash.digest("hex");
    hash.update(block.subarray(0, count));
    position += count;
    if (turn % blocksPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
