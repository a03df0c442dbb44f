import { GumError } from "../base/errors.ts";
import { nearestNames } from "../base/suggest.ts";
import type { CallRequest, ResolvedOp } from "../model/call.ts";
import type { Registry, Status, VariantRow } from "../model/registry.ts";
import { defineStep } from "../pipeline/step.ts";
import { statusOf } from "../registry/rows.ts";
import { viewPlugin } from "../registry/snapshot.ts";
import { findPlugin } from "./load-plugin.ts";

/** Finds the one variant that a call means. */
export const resolveOp = defineStep({
  name: "resolve-op",
  summary: "Find the plugin and the variant that the call means.",
  needs: ["request", "runtime"],
  gives: ["resolved"],
  codes: ["OP_NOT_FOUND", "PLUGIN_NOT_FOUND", "VARIANT_NOT_FOUND", "AMBIGUOUS_VARIANT", "REGISTRY_IO"],
  async run({ request, runtime }, { note }) {
    const resolved = findOp(await runtime.registry(), request, runtime.statusOf);
    note(`${resolved.variant.variant_id} of ${resolved.lock.name} ${resolved.lock.version}`);
    return { resolved };
  },
});

/** Every plugin's tools are `plug.<id>.<tool>`; ops that a manifest names itself are found by that name too. */
export function findOp(
  registry: Registry,
  request: Pick<CallRequest, "op" | "variantId">,
  statusFor?: (registry: Registry, plugin: string) => Status | undefined,
): ResolvedOp {
  const index = indexOf(registry);
  const plugin = pluginAddress(request.op);
  const candidates =
    plugin === undefined
      ? (index.byOp.get(request.op) ?? [])
      : (index.byPlugin.get(plugin.id) ?? []).filter(({ binding }) => binding.tool_name === plugin.tool);
  const variant = chooseVariant(request, candidates, () => notFound(registry, request.op, plugin));
  const owner = variant.owner_plugin;
  const known = index.known.get(owner) ?? knownAbout(registry, owner);
  index.known.set(owner, known);
  return {
    variant,
    ...known,
    status: statusFor?.(registry, owner) ?? statusOf(known.state),
    addressedBy: plugin === undefined ? "op" : "plugin",
  };
}

type Known = Pick<ResolvedOp, "lock" | "state" | "pins" | "metadataWarning">;

interface OpIndex {
  readonly byOp: ReadonlyMap<string, readonly VariantRow[]>;
  readonly byPlugin: ReadonlyMap<string, readonly VariantRow[]>;
  readonly known: Map<string, Known>;
}

const indexes = new WeakMap<Registry, OpIndex>();

/** A registry never changes, so that a server looks through its thousands of rows once. */
function indexOf(registry: Registry): OpIndex {
  const { variants } = registry.catalog;
  const index = indexes.get(registry) ?? {
    byOp: Map.groupBy(variants, (variant) => variant.op_id),
    byPlugin: Map.groupBy(variants, (variant) => variant.owner_plugin),
    known: new Map(),
  };
  indexes.set(registry, index);
  return index;
}

function knownAbout(registry: Registry, owner: string): Known {
  const { lock, state, variants, metadataWarning } = viewPlugin(registry, owner) ?? {};
  if (lock === undefined || state === undefined || variants === undefined) {
    throw new GumError("REGISTRY_IO", `The registry files disagree about plugin "${owner}".`);
  }
  return {
    lock,
    state,
    pins: new Map(variants.map((row) => [row.binding.tool_name, row.tool_sha256])),
    metadataWarning,
  };
}

function pluginAddress(op: string): { readonly id: string; readonly tool: string } | undefined {
  const match = /^plug\.([^.]+)\.(.+)$/s.exec(op);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { id: match[1], tool: match[2] };
}

function chooseVariant(
  request: Pick<CallRequest, "op" | "variantId">,
  candidates: readonly VariantRow[],
  missing: () => GumError,
): VariantRow {
  const [only, second] = candidates;
  if (only === undefined) throw missing();
  if (request.variantId !== undefined) {
    const pinned = candidates.find((variant) => variant.variant_id === request.variantId);
    if (pinned !== undefined) return pinned;
    throw new GumError("VARIANT_NOT_FOUND", `"${request.op}" has no variant "${request.variantId}".`, {
      details: { variants: candidates.map((variant) => variant.variant_id) },
    });
  }
  if (second === undefined) return only;
  throw new GumError(
    "AMBIGUOUS_VARIANT",
    `"${request.op}" has ${candidates.length} variants and none is the default.`,
    {
      details: { variants: candidates.map((variant) => variant.variant_id) },
    },
  );
}

function notFound(registry: Registry, op: string, plugin: { readonly id: string } | undefined): GumError {
  if (plugin !== undefined) findPlugin(registry, plugin.id);
  const names = registry.catalog.variants.flatMap((variant) => [
    variant.op_id,
    `plug.${variant.owner_plugin}.${variant.binding.tool_name}`,
  ]);
  const near = nearestNames(op, names, 3);
  return new GumError("OP_NOT_FOUND", `There is no operation "${op}".`, {
    hint: near.length > 0 ? `did you mean ${near.map((name) => `"${name}"`).join(" or ")}?` : undefined,
    details: { nearest: near },
  });
}
