import { resolve } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Grants } from "../model/registry.ts";
import { checkGrants } from "../sandbox/grants.ts";
import { ownFolders } from "../sandbox/own-folders.ts";
import { realPlaces } from "../sandbox/real-places.ts";
import type { Kernel } from "./kernel.ts";

/** The grants as they will be kept: with real, absolute paths, none of which leads to something protected (T35). */
export async function settleGrants(kernel: Kernel, grants: Grants): Promise<Grants> {
  const { host, profile } = kernel;
  if (grants.read.length + grants.write.length === 0) return grants;
  const where = await realPlaces(host, {
    userHome: host.machine.home,
    gumFolders: ownFolders(profile),
    executed: programFolders(kernel),
  });
  const absolute = (path: string): string => resolve(host.machine.cwd, path);
  // What is protected cannot be granted, whether it is there or not.
  checkGrants({ ...where, read: grants.read.map(absolute), write: grants.write.map(absolute) });
  const settled = {
    ...grants,
    read: await Promise.all(grants.read.map((path) => realPath(kernel, path))),
    write: await Promise.all(grants.write.map((path) => realPath(kernel, path))),
  };
  checkGrants({ ...where, read: settled.read, write: settled.write });
  return settled;
}

/** Where the user's programs are looked for. */
function programFolders({ host }: Kernel): string[] {
  const folders = (host.env.PATH ?? "").split(":").map((folder) => folder.replace(/\/+$/, ""));
  return folders.filter((folder) => folder.startsWith("/"));
}

async function realPath({ host }: Kernel, path: string): Promise<string> {
  try {
    return await host.files.realpath(resolve(host.machine.cwd, path));
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) throw error;
    throw new GumError("USAGE", `The path ${path} cannot be granted: it is not there.`, {
      hint: "make the folder first",
      cause: error,
    });
  }
}
