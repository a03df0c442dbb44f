import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isErrno } from "../base/errors.ts";
import { factsOf } from "./file-facts.ts";
import type { Files, ReadOptions } from "./host.ts";
import { openFile } from "./open-file.ts";

// The calls are synchronous inside: on local disks a system call costs less than a trip through a thread pool.
// What reads much (hashing) yields between blocks.

/** The real file system. */
export const realFiles: Files = {
  async readText(path, options) {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readAll(path, options));
  },
  async readBytes(path, options) {
    return readAll(path, options);
  },
  async writeNew(path, data, { mode, sync }) {
    writeWhole(path, data, mode, sync ?? false);
  },
  async replace(path, data, { mode, sync }) {
    const neighbour = `${path}.${crypto.randomUUID().slice(0, 8)}.new`;
    try {
      writeWhole(neighbour, data, mode, sync ?? false);
      renameSync(neighbour, path);
    } catch (error) {
      removeQuietly(neighbour);
      throw error;
    }
  },
  async append(path, data, { mode }) {
    appendFileSync(path, data, { mode });
  },
  open: async (path, how) => openFile(path, how),
  stat: async (path) => factsOf(statSync(path, { bigint: true })),
  lstat: async (path) => factsOf(lstatSync(path, { bigint: true })),
  async exists(path) {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  },
  realpath: async (path) => realpathSync(path),
  readlink: async (path) => readlinkSync(path),
  list: async (path) => readdirSync(path).sort(),
  async mkdir(path, { mode, recursive }) {
    mkdirSync(path, { mode, recursive: recursive ?? false });
  },
  mkdtemp: async (parent, prefix) => mkdtempSync(join(parent, prefix)),
  rename: async (from, to) => renameSync(from, to),
  symlink: async (target, path) => symlinkSync(target, path),
  link: async (existing, path) => linkSync(existing, path),
  chmod: async (path, mode) => chmodSync(path, mode),
  unlink: async (path) => unlinkSync(path),
  removeTree: async (path) => removeTree(path),
  removeEmpty: async (path) => removeEmpty(path),
  async syncFolder(path) {
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
  async lock(path, options) {
    const { lockFile } = await import("./lock.ts");
    return lockFile(path, options);
  },
};

function readAll(path: string, options: ReadOptions = {}): Uint8Array {
  const { maxBytes = Number.POSITIVE_INFINITY, noFollow = false } = options;
  // O_NONBLOCK: opening a FIFO that a stranger put there must not hang.
  const fd = openSync(
    path,
    constants.O_RDONLY | constants.O_NONBLOCK | (noFollow ? constants.O_NOFOLLOW : 0),
  );
  try {
    const blocks: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const block = new Uint8Array(65_536);
      const count = readSync(fd, block, 0, block.length, null);
      if (count === 0) return Buffer.concat(blocks, total);
      total += count;
      if (total > maxBytes) throw errno("EFBIG", `file is larger than ${maxBytes} bytes: ${path}`);
      blocks.push(block.subarray(0, count));
    }
  } finally {
    closeSync(fd);
  }
}

function writeWhole(path: string, data: string | Uint8Array, mode: number, sync: boolean): void {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done);
    if (sync) fsyncSync(fd);
  } catch (error) {
    removeQuietly(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** After a failed write the first error is the one to report, whatever the clean-up meets. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // the write's own error is on its way
  }
}

function removeTree(path: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return;
  if (!facts.isDirectory()) {
    unlinkSync(path);
    return;
  }
  openUp(path, facts.mode);
  // What lay too deep to be named lies right below `path` after a round.
  while (removeContent(path, path) > 0);
  removeFolder(path);
}

/** A path may have 4096 bytes and a tree any depth, so what lies further below its top than this is moved up to it. */
const farBelow = 1024;

/** Removes what is in a folder of the tree `top`; answers how many folders it moved up to the top instead. */
function removeContent(top: string, folder: string): number {
  let moved = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined) continue;
    if (!facts.isDirectory()) {
      unlinkSync(path);
      continue;
    }
    openUp(path, facts.mode);
    if (Buffer.byteLength(path) - Buffer.byteLength(top) > farBelow) {
      renameSync(path, join(top, `moved-${crypto.randomUUID()}`));
      moved++;
      continue;
    }
    moved += removeContent(top, path);
    removeFolder(path);
  }
  return moved;
}

function openUp(folder: string, mode: number): void {
  if ((mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
}

function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return false;
    throw error;
  }
}

function errno(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
