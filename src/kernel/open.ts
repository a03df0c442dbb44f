import { resolve } from "node:path/posix";
import { openProfile } from "../registry/profile.ts";
import type { Kernel, KernelRequest } from "./kernel.ts";

/** Opens the profile and settles which pipelines run: the flag's folder, else GUM_PIPELINES, else the config's. */
export async function openKernel(request: KernelRequest): Promise<Kernel> {
  const { host, signal, onStep, onProgress } = request;
  const profile = await openProfile(host, { name: request.profileName });
  const folder =
    request.pipelinesDir ?? (host.env.GUM_PIPELINES || undefined) ?? profile.config.values["pipelines.dir"];
  return {
    host,
    profile,
    config: profile.config.values,
    signal,
    onStep,
    onProgress,
    pipelinesDir: folder === null || folder === undefined ? undefined : resolve(host.machine.cwd, folder),
  };
}
