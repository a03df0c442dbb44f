import type { Registry, VariantRow } from "../model/registry.ts";
import { activeRegistry } from "./activation.ts";
import type { Kernel } from "./kernel.ts";
import type { SearchHit, SearchOptions } from "./search-index.ts";

/** Operations of active plugins that fit the words, best first; without words, all of them by name. */
export async function searchOps(kernel: Kernel, query: string, options: SearchOptions): Promise<SearchHit[]> {
  const variants = activeVariants(await activeRegistry(kernel));
  const { createSearchIndex } = await import("./search-index.ts");
  return createSearchIndex(variants).search(query, options);
}

/** The variants that may be called: those of plugins that are neither quarantined nor unconfigured nor pending. */
export function activeVariants({ catalog, state }: Registry): VariantRow[] {
  const active = new Set(state.plugins.filter(({ status }) => status === "active").map(({ name }) => name));
  return catalog.variants.filter((variant) => active.has(variant.owner_plugin));
}
