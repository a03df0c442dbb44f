import { isErrno } from "../../base/errors.ts";
import type { Files } from "../host.ts";

export interface RoomParents {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Folders in which gum makes a private one for a moment, best first. They lie in gum's own folders, which no grant
 * can open: what is executed from anywhere else, a plugin that may write there could replace before it runs (T30).
 */
export function roomParents({ env, home }: RoomParents): string[] {
  const base = (name: string, below: string): string => {
    const path = env[name];
    return path?.startsWith("/") ? path.replace(/\/+$/, "") : `${home === "/" ? "" : home}/${below}`;
  };
  const wanted = [base("XDG_CACHE_HOME", ".cache"), base("XDG_DATA_HOME", ".local/share")];
  return [...new Set(wanted)].filter((path) => path.startsWith("/")).map((path) => `${path}/gum/run`);
}

/** Where it did not work; some mounts allow no execution. They are tried last from then on. */
const unusable = new Set<string>();

/**
 * Runs `use` with a new private folder and removes the folder afterwards. A parent that cannot hold one, or that
 * is mounted so that nothing in it can be executed (EACCES), is passed over for the next.
 */
export async function withRoom<T>(
  files: Files,
  parents: readonly string[],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  let last: unknown = Object.assign(new Error("Cannot make a private folder: no place for it is known"), {
    code: "ENOENT",
  });
  for (const parent of parents.toSorted((one, other) => rank(one) - rank(other))) {
    let folder: string | undefined;
    try {
      folder = await makeRoom(files, parent);
      return await use(folder);
    } catch (error) {
      if (!isErrno(error, ...passedOver)) throw error;
      last = error;
      unusable.add(parent);
    } finally {
      if (folder !== undefined) await files.removeTree(folder);
    }
  }
  throw last;
}

const passedOver = ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "EROFS", "ENOSPC"] as const;
const prefix = "gum-";
/** No room is used for longer than a launch takes; an older one belonged to a gum that was killed. */
const abandonedMs = 60_000;

async function makeRoom(files: Files, parent: string): Promise<string> {
  try {
    const folder = await files.mkdtemp(parent, prefix);
    await sweep(files, parent);
    return folder;
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    await files.mkdir(parent, { mode: 0o700, recursive: true });
    return files.mkdtemp(parent, prefix);
  }
}

/** Removes what a killed gum left behind. */
async function sweep(files: Files, parent: string): Promise<void> {
  for (const name of await files.list(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = `${parent}/${name}`;
    try {
      const { ctimeNs } = await files.lstat(path);
      if (Date.now() - Number(ctimeNs / 1_000_000n) > abandonedMs) await files.removeTree(path);
    } catch (error) {
      // Another gum removes its own at the same time.
      if (!isErrno(error, ...passedOver)) throw error;
    }
  }
}

function rank(parent: string): number {
  return unusable.has(parent) ? 1 : 0;
}
