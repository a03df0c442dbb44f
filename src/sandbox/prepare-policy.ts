import type { Host } from "../host/host.ts";
import { checkGrants } from "./grants.ts";
import { makePolicy, type Policy, type PolicyInput } from "./policy.ts";

/**
 * The policy with every path as it really is: the sandbox opens no path through a link, and a granted path that has
 * become a link to something protected is refused (T35).
 */
export async function preparePolicy(host: Pick<Host, "files">, input: PolicyInput): Promise<Policy> {
  const real = (path: string) => host.files.realpath(path);
  const all = (paths: readonly string[] | undefined) => Promise.all((paths ?? []).map(real));
  const either = async (path: string) => {
    return (await host.files.exists(path)) ? [path, await real(path)] : [path];
  };
  const userHome = (await either(input.userHome)).at(-1) ?? input.userHome;
  const gumFolders = (await Promise.all(input.gumFolders.map(either))).flat();
  const where = { userHome, gumFolders };
  const grants = {
    ...input.grants,
    read: await all(input.grants.read),
    write: await all(input.grants.write),
  };
  checkGrants({ ...where, read: grants.read, write: grants.write });
  return makePolicy({
    ...input,
    ...where,
    grants,
    installRoot: await real(input.installRoot),
    dataDir: await real(input.dataDir),
    runtimes: await all(input.runtimes),
    ownReads: await all(input.ownReads),
  });
}
