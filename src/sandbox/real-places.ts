import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { executedPaths } from "./executed-paths.ts";
import { type Surroundings, sensitivePaths } from "./sensitive.ts";

/**
 * The surroundings with every protected place under its name and as it really is: `~/.aws` may be a link to a folder
 * that has another name, and granting that folder would grant the credentials (T35).
 */
export async function realPlaces(host: Pick<Host, "files">, where: Surroundings): Promise<Surroundings> {
  const { files } = host;
  const real = async (path: string): Promise<string[]> => {
    try {
      return (await files.exists(path)) ? [await files.realpath(path)] : [];
    } catch (error) {
      // What this user cannot look at, a plugin cannot either; its name stays protected.
      if (isErrno(error, "EACCES", "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG")) return [];
      throw error;
    }
  };
  const moved = async (paths: readonly string[]): Promise<string[]> => {
    const found = await Promise.all(paths.map(async (path) => ({ path, real: await real(path) })));
    return found.flatMap(({ path, real }) => real.filter((one) => one !== path));
  };
  const userHome = (await real(where.userHome))[0] ?? where.userHome;
  const [gumFolders, sensitive, executed] = await Promise.all([
    moved(where.gumFolders),
    moved(sensitivePaths(userHome)),
    moved([...executedPaths(userHome), ...(where.executed ?? [])]),
  ]);
  return {
    userHome,
    gumFolders: [...where.gumFolders, ...gumFolders],
    sensitive: [...(where.sensitive ?? []), ...sensitive],
    executed: [...(where.executed ?? []), ...executed],
  };
}
