// T28: the tools of a plugin as they were when they were pinned. The list itself is kept beside its digests, so that a
// later difference can be shown and classed.
import * as v from "valibot";
import type { Host } from "../host/host.ts";
import { findDrift } from "../model/drift.ts";
import type { DriftChange } from "../model/drift-wording.ts";
import type { Profile } from "../model/profile.ts";
import type { LockRow, Pins, Registry, VariantRow } from "../model/registry.ts";
import type { ResolvedSchema } from "../model/schema-bundle.ts";
import type { ListedTool } from "../model/session.ts";
import { readSchema, resolvedSchema } from "../registry/schema-store.ts";
import { toolDigest, toolsDigest } from "../wire/tool-digest.ts";
import { requestRefOf } from "./schema-refs.ts";

/** What the registry keeps of a plugin's listed tools. */
export interface PinnedTools {
  readonly toolsSha256: string;
  readonly pins: Pins;
  /** The list, to be stored with the generation that names it. */
  readonly list: ResolvedSchema;
}

/** Pins the tools that a running plugin has listed; null for none. */
export function pinsFor(plugin: string, listed: readonly ListedTool[]): PinnedTools | null {
  if (listed.length === 0) return null;
  const sorted = listed.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(plainTool);
  const list = resolvedSchema(`${plugin}.tools`, sorted);
  return { toolsSha256: toolsDigest(listed), pins: { ref: list.ref, sha256: list.sha256 }, list };
}

const StoredTools = v.array(
  v.strictObject({
    name: v.string(),
    title: v.optional(v.string()),
    description: v.optional(v.string()),
    inputSchema: v.optional(v.unknown()),
    outputSchema: v.optional(v.unknown()),
    annotations: v.optional(v.record(v.string(), v.unknown())),
  }),
);

/** The tools that were pinned; undefined when none were. */
export async function readPinnedTools(
  host: Host,
  profile: Profile,
  { pins }: LockRow,
): Promise<readonly ListedTool[] | undefined> {
  if (!pins) return undefined;
  return v.parse(StoredTools, await readSchema(host, profile, pins.ref, pins.sha256));
}

/** Every difference between the pinned tools and those that run, with its class (T31). */
export function driftOf(
  registry: Registry,
  plugin: string,
  pinned: readonly ListedTool[],
  running: readonly ListedTool[],
): DriftChange[] {
  const foreignTools = new Set(
    registry.catalog.variants
      .filter((variant) => variant.owner_plugin !== plugin)
      .map(({ binding }) => binding.tool_name),
  );
  return findDrift(pinned, running, { foreignTools });
}

/** What has to be stored before a generation can pin these tools. */
export function schemasToPin(row: LockRow, listed: readonly ListedTool[]): ResolvedSchema[] {
  const pinned = pinsFor(row.name, listed);
  const requests = listed.flatMap((tool) => listedRequest(row, tool) ?? []);
  return pinned === null ? [] : [pinned.list, ...requests];
}

/** The registry with the plugin's tools pinned as they are listed now; `schemasToPin` says what it takes. */
export function repin(registry: Registry, plugin: string, listed: readonly ListedTool[]): Registry {
  const pinned = pinsFor(plugin, listed);
  const row = registry.lock.plugins.find(({ name }) => name === plugin);
  if (pinned === null || row === undefined) return registry;
  const variants = registry.catalog.variants.map((variant) => {
    const tool = listed.find(({ name }) => name === variant.binding.tool_name);
    if (variant.owner_plugin !== plugin || tool === undefined) return variant;
    return repinned(variant, tool, listedRequest(row, tool));
  });
  const locked = { ...row, tools_sha256: pinned.toolsSha256, pins: pinned.pins };
  const plugins = registry.lock.plugins.map((one) => (one === row ? locked : one));
  return {
    catalog: { ...registry.catalog, variants },
    lock: { ...registry.lock, plugins },
    state: registry.state,
  };
}

/** The input schema of a tool whose manifest names none (M30). */
function listedRequest({ plugin }: LockRow, listed: ListedTool): ResolvedSchema | undefined {
  const tool = plugin.tools.find(({ name }) => name === listed.name);
  if (tool === undefined || tool.schema_ref !== null || listed.inputSchema === undefined) return undefined;
  return resolvedSchema(requestRefOf(plugin, tool), listed.inputSchema);
}

function repinned(variant: VariantRow, tool: ListedTool, request: ResolvedSchema | undefined): VariantRow {
  const tool_sha256 = toolDigest(tool);
  if (request === undefined) return { ...variant, tool_sha256 };
  return {
    ...variant,
    tool_sha256,
    schema_hashes: { ...variant.schema_hashes, [request.ref]: request.sha256 },
    binding: { ...variant.binding, request_ref: request.ref },
  };
}

/** What is kept of a listed tool: what is pinned, and its title. */
function plainTool(tool: ListedTool): ListedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return { name, title, description, inputSchema, outputSchema, annotations };
}
