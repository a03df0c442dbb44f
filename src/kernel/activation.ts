import { GumError } from "../base/errors.ts";
import type { Registry } from "../model/registry.ts";
import { rememberedRegistry } from "../registry/remembered.ts";
import { activate } from "../registry/rows.ts";
import type { Kernel } from "./kernel.ts";

/**
 * The registry with what this command may call active (R13). The activation is recorded; where the data folder cannot
 * be written, or another process holds it, it counts for this command alone.
 */
export async function activeRegistry(kernel: Kernel): Promise<Registry> {
  const { host, profile } = kernel;
  const registry = await rememberedRegistry(host, profile);
  const active = activate(registry, new Date(host.clock.now()).toISOString());
  if (active === registry) return registry;
  try {
    // Rare, and the pipelines with all their steps cost more than the rest of a listing.
    const { run } = await import("./run.ts");
    await run({ ...kernel, onStep: undefined }, "activate", { profile });
    return await rememberedRegistry(host, profile);
  } catch (error) {
    if (!(error instanceof GumError) || !["REGISTRY_IO", "REGISTRY_LOCKED"].includes(error.code)) throw error;
    host.log.debug(`plugins are active for this command alone: ${error.message}`);
    return active;
  }
}
