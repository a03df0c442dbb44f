import { createHash } from "node:crypto";
import type { FileFacts, Files, HeldLock, OpenFile, OpenMode, ReadOptions } from "../../src/host/host.ts";
import type { FakeClock } from "./fake-clock.ts";
import { errno, type FileNode, type FolderNode, locate, type Node } from "./fake-tree.ts";

export interface FakeFiles extends Files {
  /** Every path with its content (`-> target` for a link, undefined for a folder), sorted: for comparing before and after. */
  snapshot(): Record<string, string | undefined>;
}

type Initial = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

/** Files in memory. Folders above the initial ones are made as needed. */
export function createFakeFiles(clock: FakeClock, initial: Initial = {}): FakeFiles {
  const tree = new FakeTree(clock);
  for (const [path, content] of Object.entries(initial)) {
    const isText = typeof content === "string" || content instanceof Uint8Array;
    if (path.endsWith("/")) tree.makeFolders(path, 0o755);
    else {
      tree.makeFolders(path.slice(0, path.lastIndexOf("/")), 0o755);
      if (isText) tree.create(path, bytesOf(content), 0o644);
      else tree.createLink(content.link, path);
    }
  }
  return filesOf(tree);
}

class FakeTree {
  readonly root: FolderNode;
  readonly #clock: FakeClock;
  #next = 1n;
  readonly locks = new Map<string, number>();

  constructor(clock: FakeClock) {
    this.#clock = clock;
    this.root = { kind: "folder", entries: new Map(), ...this.facts(0o755) };
  }

  facts(mode: number) {
    const now = this.instant();
    return { mode, uid: 1000, ino: this.#next++, nlink: 1, mtimeNs: now, ctimeNs: now };
  }

  instant(): bigint {
    return BigInt(Math.round(this.#clock.now() * 1000)) * 1000n;
  }

  find(path: string, follow = true): Node {
    const { node } = locate(this.root, path, follow);
    if (node === undefined) throw errno("ENOENT", path);
    return node;
  }

  file(path: string, follow = true): FileNode {
    const node = this.find(path, follow);
    if (node.kind === "folder") throw errno("EISDIR", path);
    if (node.kind === "link") throw errno("ELOOP", path);
    return node;
  }

  folder(path: string): FolderNode {
    const node = this.find(path);
    if (node.kind !== "folder") throw errno("ENOTDIR", path);
    return node;
  }

  /** A free name for a new entry. */
  vacant(path: string) {
    const spot = locate(this.root, path, false);
    if (spot.node !== undefined) throw errno("EEXIST", path);
    return spot;
  }

  put(folder: FolderNode, name: string, node: Node): void {
    folder.entries.set(name, node);
    folder.mtimeNs = this.instant();
  }

  create(path: string, data: Uint8Array, mode: number): FileNode {
    const { folder, name } = this.vacant(path);
    const node: FileNode = { kind: "file", data, ...this.facts(mode) };
    this.put(folder, name, node);
    return node;
  }

  createLink(target: string, path: string): void {
    const { folder, name } = this.vacant(path);
    this.put(folder, name, { kind: "link", target, ...this.facts(0o777) });
  }

  makeFolder(path: string, mode: number): void {
    const { folder, name } = this.vacant(path);
    this.put(folder, name, { kind: "folder", entries: new Map(), ...this.facts(mode) });
  }

  makeFolders(path: string, mode: number): void {
    const parts = path.split("/").filter((part) => part !== "");
    for (let count = 1; count <= parts.length; count++) {
      const part = `/${parts.slice(0, count).join("/")}`;
      const { node } = locate(this.root, part, true);
      if (node === undefined) this.makeFolder(part, mode);
      else if (node.kind !== "folder") throw errno("EEXIST", part);
    }
  }

  write(node: FileNode, data: Uint8Array): void {
    node.data = data;
    node.mtimeNs = this.instant();
    node.ctimeNs = node.mtimeNs;
  }

  rename(from: string, to: string): void {
    const source = locate(this.root, from, false);
    const target = locate(this.root, to, false);
    if (source.node === undefined) throw errno("ENOENT", from);
    if (`${target.path}/`.startsWith(`${source.path}/`) && target.path !== source.path)
      throw errno("EINVAL", to);
    if (target.node?.kind === "folder") {
      if (source.node.kind !== "folder") throw errno("EISDIR", to);
      if (target.node.entries.size > 0) throw errno("ENOTEMPTY", to);
    } else if (target.node !== undefined && source.node.kind === "folder") throw errno("ENOTDIR", to);
    source.folder.entries.delete(source.name);
    this.put(target.folder, target.name, source.node);
  }

  remove(path: string): void {
    const { folder, name, node } = locate(this.root, path, false);
    if (node === undefined) throw errno("ENOENT", path);
    folder.entries.delete(name);
    node.nlink--;
    folder.mtimeNs = this.instant();
  }
}

function filesOf(tree: FakeTree): FakeFiles {
  let temporary = 0;
  return {
    readText: async (path, options) =>
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read(tree, path, options)),
    readBytes: async (path, options) => read(tree, path, options).slice(),
    writeNew: async (path, data, { mode }) => void tree.create(path, bytesOf(data), mode),
    async replace(path, data, { mode }) {
      const neighbour = `${path}.${temporary++}.new`;
      tree.create(neighbour, bytesOf(data), mode);
      tree.rename(neighbour, path);
    },
    async append(path, data, { mode }) {
      const spot = locate(tree.root, path, true);
      const node = spot.node === undefined ? tree.create(spot.path, new Uint8Array(), mode) : tree.file(path);
      tree.write(node, Buffer.concat([node.data, bytesOf(data)]));
    },
    open: async (path, how) => open(tree, path, how),
    stat: async (path) => factsOf(tree.find(path)),
    lstat: async (path) => factsOf(tree.find(path, false)),
    async exists(path) {
      try {
        tree.find(path, false);
        return true;
      } catch {
        return false;
      }
    },
    async realpath(path) {
      const spot = locate(tree.root, path, true);
      if (spot.node === undefined) throw errno("ENOENT", path);
      return spot.path;
    },
    async readlink(path) {
      const node = tree.find(path, false);
      if (node.kind !== "link") throw errno("EINVAL", path);
      return node.target;
    },
    list: async (path) => [...tree.folder(path).entries.keys()].sort(),
    mkdir: async (path, { mode, recursive }) =>
      recursive ? tree.makeFolders(path, mode) : tree.makeFolder(path, mode),
    async mkdtemp(parent, prefix) {
      const path = `${parent}/${prefix}${String(temporary++).padStart(6, "0")}`;
      tree.makeFolder(path, 0o700);
      return path;
    },
    rename: async (from, to) => tree.rename(from, to),
    symlink: async (target, path) => tree.createLink(target, path),
    async link(existing, path) {
      const node = tree.file(existing, false);
      const { folder, name } = tree.vacant(path);
      node.nlink++;
      tree.put(folder, name, node);
    },
    async chmod(path, mode) {
      const node = tree.find(path);
      node.mode = mode & 0o7777;
      node.ctimeNs = tree.instant();
    },
    async unlink(path) {
      if (tree.find(path, false).kind === "folder") throw errno("EISDIR", path);
      tree.remove(path);
    },
    async removeTree(path) {
      if (locate(tree.root, path, false).node !== undefined) tree.remove(path);
    },
    async removeEmpty(path) {
      const { node } = locate(tree.root, path, false);
      if (node?.kind !== "folder" || node.entries.size > 0) return false;
      tree.remove(path);
      return true;
    },
    syncFolder: async (path) => void tree.folder(path),
    lock: async (path, options) => lock(tree, path, options),
    snapshot: () => snapshot(tree.root),
  };
}

function read(tree: FakeTree, path: string, { maxBytes, noFollow }: ReadOptions = {}): Uint8Array {
  const { data } = tree.file(path, !noFollow);
  if (maxBytes !== undefined && data.length > maxBytes) throw errno("EFBIG", path);
  return data;
}

let nextDescriptor = 1000;

function open(tree: FakeTree, path: string, how: OpenMode): OpenFile {
  const node = openedNode(tree, path, how);
  return {
    fd: nextDescriptor++,
    stat: async () => factsOf(node),
    async read(buffer, position) {
      const part = node.data.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
    write: async (data) => tree.write(node, Buffer.concat([node.data, data])),
    async chmod(mode) {
      node.mode = mode & 0o7777;
    },
    sync: async () => undefined,
    sha256: async () => createHash("sha256").update(node.data).digest("hex"),
    close: async () => undefined,
  };
}

function openedNode(tree: FakeTree, path: string, how: OpenMode): FileNode {
  if (how === "write-new") return tree.create(path, new Uint8Array(), 0o600);
  const absent = how === "append" && locate(tree.root, path, false).node === undefined;
  return absent ? tree.create(path, new Uint8Array(), 0o600) : tree.file(path, how === "read");
}

/** Locks are counted by path: -1 exclusive, otherwise how many share it. Waiting takes one turn of the event loop. */
async function lock(
  tree: FakeTree,
  path: string,
  { waitMs, shared = false }: { waitMs: number; shared?: boolean },
): Promise<HeldLock | undefined> {
  if (locate(tree.root, path, true).node === undefined) tree.create(path, new Uint8Array(), 0o600);
  const node = tree.file(path);
  const free = (): boolean => (shared ? (tree.locks.get(path) ?? 0) >= 0 : (tree.locks.get(path) ?? 0) === 0);
  if (!free() && waitMs > 0) await new Promise((resolve) => setImmediate(resolve));
  if (!free()) return undefined;
  tree.locks.set(path, shared ? (tree.locks.get(path) ?? 0) + 1 : -1);
  let held = true;
  return {
    describe: async (text) => tree.write(node, bytesOf(text)),
    async release() {
      if (held) tree.locks.set(path, shared ? (tree.locks.get(path) ?? 1) - 1 : 0);
      held = false;
    },
  };
}

function factsOf(node: Node): FileFacts {
  const { mode, uid, ino, nlink, mtimeNs, ctimeNs, kind } = node;
  const size = kind === "file" ? node.data.length : kind === "link" ? bytesOf(node.target).length : 4096;
  return { kind, size, mode, uid, ino, dev: 1n, nlink, mtimeNs, ctimeNs };
}

function snapshot(root: FolderNode): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = {};
  const walk = (folder: FolderNode, path: string): void => {
    for (const [name, node] of [...folder.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const here = `${path}/${name}`;
      if (node.kind === "file") found[here] = Buffer.from(node.data).toString("utf8");
      else if (node.kind === "link") found[here] = `-> ${node.target}`;
      else {
        found[here] = undefined;
        walk(node, here);
      }
    }
  };
  walk(root, "");
  return found;
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data.slice();
}
