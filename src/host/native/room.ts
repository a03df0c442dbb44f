import { isErrno } from "../../base/errors.ts";
import type { Files } from "../host.ts";

export interface RoomParents {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Folders in which gum may make a private one for a moment, best first. */
export function roomParents({ env, home }: RoomParents): string[] {
  const wanted = [env.XDG_RUNTIME_DIR, env.TMPDIR, "/tmp", "/var/tmp", "/dev/shm", home];
  return [...new Set(wanted)].filter((path): path is string => path?.startsWith("/") === true);
}

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
  for (const parent of parents) {
    let folder: string | undefined;
    try {
      folder = await files.mkdtemp(parent, "gum-");
      return await use(folder);
    } catch (error) {
      if (!isErrno(error, "EACCES", "EPERM", "ENOENT", "ENOTDIR", "EROFS", "ENOSPC")) throw error;
      last = error;
    } finally {
      if (folder !== undefined) await files.removeTree(folder);
    }
  }
  throw last;
}
