import type { Host } from "../host/host.ts";
import type { Registry } from "../model/registry.ts";
import type { RegistryHome } from "./folders.ts";
import { readCurrent } from "./generation-folders.ts";
import { readRegistry } from "./read-registry.ts";

interface Last {
  readonly dataDir: string;
  readonly folder: string;
  readonly registry: Registry;
}

const lastOf = new WeakMap<Host, Last>();

/** The current registry; a generation never changes, so one that this process has read is not read again. */
export async function rememberedRegistry(host: Host, home: RegistryHome): Promise<Registry> {
  const current = await readCurrent(host.files, home).catch(() => undefined); // `readRegistry` tells what is wrong
  const folder = current === undefined || current === "dangling" ? undefined : current.folder;
  const last = lastOf.get(host);
  if (last !== undefined && last.dataDir === home.dataDir && last.folder === folder) return last.registry;
  const registry = await readRegistry(host, home);
  // Read after the link was: a publish in between is noticed by the next call, which sees another folder.
  if (folder !== undefined && isOf(registry, folder))
    lastOf.set(host, { dataDir: home.dataDir, folder, registry });
  return registry;
}

function isOf({ state }: Registry, folder: string): boolean {
  return folder.endsWith(`-${state.install_txid}`);
}
