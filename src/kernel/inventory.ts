import { GumError } from "../base/errors.ts";
import type { LockRow, Registry } from "../model/registry.ts";
import { statusOf } from "../registry/rows.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import { isKeyRevoked } from "../trust/key-store.ts";
import { activeRegistry } from "./activation.ts";
import type { PluginSummary } from "./answers.ts";
import type { Kernel } from "./kernel.ts";

/** Every installed plugin, by id. */
export async function listPlugins(kernel: Kernel): Promise<PluginSummary[]> {
  const registry = await activeRegistry(kernel);
  const summaryOf = async (row: LockRow): Promise<PluginSummary> => ({
    id: row.name,
    version: row.version,
    name: row.plugin.title,
    status: await statusIn(kernel, registry, row),
  });
  return Promise.all(registry.lock.plugins.map(summaryOf));
}

/** Everything the registry knows about one plugin; variables are named, values are not there. */
export async function pluginInfo(kernel: Kernel, id: string): Promise<Record<string, unknown>> {
  const registry = await activeRegistry(kernel);
  const row = findPlugin(registry, id);
  return {
    id: row.name,
    status: await statusIn(kernel, registry, row),
    ...row,
    key_revoked: await isKeyRevoked(kernel.host, kernel.profile.configDir, row),
    install_pipeline_shipped: row.install_pipeline_sha256 === (await shippedInstallDigest(kernel)),
    state: registry.state.plugins.find((state) => state.name === id) ?? null,
    variants: registry.catalog.variants.filter((variant) => variant.owner_plugin === id),
  };
}

/** The digest of the install pipeline that this gum ships. */
async function shippedInstallDigest(kernel: Kernel): Promise<string> {
  const { readPipelineTexts } = await import("./pipeline-texts.ts");
  const { jsonDigest } = await import("../base/digest.ts");
  const texts = await readPipelineTexts(kernel.host.files, undefined);
  return jsonDigest(texts.read("install.yaml", texts.shipped("install") ?? "").source);
}

/** What no call would get through to is not active: every call refuses what a revoked key has signed (R13). */
async function statusIn(
  { host, profile }: Kernel,
  registry: Registry,
  row: LockRow,
): Promise<PluginSummary["status"]> {
  const state = registry.state.plugins.find((candidate) => candidate.name === row.name);
  if (state === undefined)
    throw new GumError("REGISTRY_IO", `The registry has no state of plugin "${row.name}".`);
  return (await isKeyRevoked(host, profile.configDir, row)) ? "quarantined" : statusOf(state);
}
