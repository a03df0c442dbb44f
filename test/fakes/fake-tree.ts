// The nodes of a file system in memory, and how a path leads to one. Permissions are recorded, never enforced:
// what only a kernel can prove is tested on the real one.

/** A file; hard links share it. */
export interface FileNode extends NodeFacts {
  kind: "file";
  data: Uint8Array;
}
export interface FolderNode extends NodeFacts {
  kind: "folder";
  entries: Map<string, Node>;
}
export interface LinkNode extends NodeFacts {
  kind: "link";
  target: string;
}
export type Node = FileNode | FolderNode | LinkNode;

interface NodeFacts {
  mode: number;
  uid: number;
  ino: bigint;
  nlink: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
}

/** Where a name stands, whether or not something is there. */
export interface Spot {
  readonly folder: FolderNode;
  readonly name: string;
  readonly path: string;
  readonly node: Node | undefined;
}

const maxLinks = 40;

/** The error that the operating system would give. */
export function errno(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** Walks to the place of `path`; `follow` also resolves a link at its end. */
export function locate(root: FolderNode, path: string, follow: boolean): Spot {
  if (!path.startsWith("/")) throw errno("EINVAL", path);
  let links = 0;
  const walk = (from: string, followLast: boolean): Spot => {
    const folders: { node: FolderNode; name: string }[] = [{ node: root, name: "" }];
    const parts = from.split("/").filter((part) => part !== "" && part !== ".");
    for (const [index, part] of parts.entries()) {
      const here = folders.at(-1)?.node ?? root;
      const last = index === parts.length - 1;
      if (part === "..") {
        if (folders.length > 1) folders.pop();
        continue;
      }
      const parent = folders.map(({ name }) => name).join("/");
      const where = `${parent}/${part}`;
      const node = here.entries.get(part);
      if (node?.kind === "link" && (!last || followLast)) {
        if (++links > maxLinks) throw errno("ELOOP", path);
        const base = node.target.startsWith("/") ? node.target : `${parent}/${node.target}`;
        return walk([base, ...parts.slice(index + 1)].join("/"), followLast);
      }
      if (last) return { folder: here, name: part, path: where, node };
      if (node === undefined) throw errno("ENOENT", path);
      if (node.kind !== "folder") throw errno("ENOTDIR", path);
      folders.push({ node, name: part });
    }
    const end = folders.at(-1) ?? { node: root, name: "" };
    const parent = folders.at(-2)?.node ?? root;
    return {
      folder: parent,
      name: end.name,
      path: folders.map(({ name }) => name).join("/") || "/",
      node: end.node,
    };
  };
  return walk(path, follow);
}
