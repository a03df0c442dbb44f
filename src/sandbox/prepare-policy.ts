import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { checkGrants } from "./grants.ts";
import { makePolicy, type Policy, type PolicyInput } from "./policy.ts";
import { realPlaces } from "./real-places.ts";
import { runtimeRoot } from "./runtime-root.ts";
import type { Surroundings } from "./sensitive.ts";

/**
 * The policy with every path as it really is: the sandbox opens no path through a link. A grant is for the path that
 * the operator saw; when it leads elsewhere by now, nobody granted that (T35).
 */
export async function preparePolicy(host: Pick<Host, "files">, input: PolicyInput): Promise<Policy> {
  const real = (path: string) => host.files.realpath(path);
  const all = (paths: readonly string[] | undefined) => Promise.all((paths ?? []).map(real));
  const { read, write } = input.grants;
  for (const path of [...read, ...write]) await refuseMoved(host, path);
  const runtimes = await all(input.runtimes);
  const where = await surroundings(host, input, runtimes);
  checkGrants({ ...where, read, write });
  return makePolicy({
    ...input,
    ...where,
    installRoot: await real(input.installRoot),
    dataDir: await real(input.dataDir),
    runtimes,
    ownReads: await all(input.ownReads),
  });
}

async function refuseMoved({ files }: Pick<Host, "files">, path: string): Promise<void> {
  const now = await files.realpath(path);
  if (now === path) return;
  throw new GumError("POLICY_DENIED", `The granted path '${path}' leads to '${now}' by now.`, {
    hint: "take the grant back with `gum plugin revoke`, look at the path, and grant what it should be",
    details: { path },
  });
}

/** Looking up every protected place takes longer than a launch: it is done where something could reach them. */
async function surroundings(
  host: Pick<Host, "files">,
  { userHome, gumFolders, grants }: PolicyInput,
  runtimes: readonly string[],
): Promise<Surroundings> {
  const isOwn = (path: string) => !path.startsWith("/usr/");
  const executed = runtimes.filter(isOwn).map((path) => runtimeRoot(path) ?? path);
  if (grants.read.length + grants.write.length + executed.length > 0) {
    return realPlaces(host, { userHome, gumFolders, executed });
  }
  const either = async (path: string) =>
    (await host.files.exists(path)) ? [path, await host.files.realpath(path)] : [path];
  return {
    userHome: (await either(userHome)).at(-1) ?? userHome,
    gumFolders: (await Promise.all(gumFolders.map(either))).flat(),
  };
}
