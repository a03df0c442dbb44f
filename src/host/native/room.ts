import { isErrno } from "../../base/errors.ts";
import type { Files } from "../host.ts";

export interface RoomParents {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Folders in which gum may make a private one for a moment, best first: those in memory take a tenth of the time. */
export function roomParents({ env, home }: RoomParents): string[] {
  const wanted = [env.XDG_RUNTIME_DIR, "/dev/shm", env.TMPDIR, "/tmp", "/var/tmp", home];
  return [...new Set(wanted)].filter((path): path is string => path?.startsWith("/") === true);
}

/** Where it did not work; a container's memory folders often allow no execution. They are tried last from then on. */
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
      folder = await files.mkdtemp(parent, "gum-");
      return await use(folder);
    } catch (error) {
      if (!isErrno(error, "EACCES", "EPERM", "ENOENT", "ENOTDIR", "EROFS", "ENOSPC")) throw error;
      last = error;
      unusable.add(parent);
    } finally {
      if (folder !== undefined) await files.removeTree(folder);
    }
  }
  throw last;
}

function rank(parent: string): number {
  return unusable.has(parent) ? 1 : 0;
}
