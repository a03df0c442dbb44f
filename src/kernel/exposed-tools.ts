// Plugin tools as tools of the server's own, where the operator wants that. They are shown as they were pinned: a
// running plugin that lists others is not called (T28), so nothing has to be started for a list.

import type { LockRow, VariantRow } from "../model/registry.ts";
import type { ListedTool } from "../model/session.ts";
import { readPinnedTools } from "../steps/pins.ts";
import { schemaOf } from "./describe.ts";
import type { GumServer } from "./server.ts";

/** A plugin's tool under the name that clients call. */
export interface ExposedTool extends ListedTool {
  readonly plugin: string;
}

/** Every tool of every active plugin, as `plug.<id>.<tool>`; read once for each state of the catalog. */
export function exposedTools(server: GumServer): () => Promise<readonly ExposedTool[]> {
  let last:
    | { readonly of: readonly VariantRow[]; readonly tools: Promise<readonly ExposedTool[]> }
    | undefined;
  return async () => {
    const { registry, variants, statusOf } = await server.catalog();
    if (last?.of === variants) return last.tools;
    const rows = registry.lock.plugins.filter((row) => statusOf(row.name) === "active");
    const tools = Promise.all(rows.map((row) => toolsOf(server, row, variants))).then((all) => all.flat());
    last = { of: variants, tools };
    return tools;
  };
}

async function toolsOf(
  { kernel }: GumServer,
  row: LockRow,
  variants: readonly VariantRow[],
): Promise<ExposedTool[]> {
  const own = variants.filter((variant) => variant.owner_plugin === row.name);
  const pinned = await readPinnedTools(kernel.host, kernel.profile, row);
  const names = new Set(own.map((variant) => variant.binding.tool_name));
  const listed =
    pinned?.filter((tool) => names.has(tool.name)) ??
    (await Promise.all(own.map((variant) => declared(kernel, variant))));
  return listed.map((tool) => ({ ...tool, name: `plug.${row.name}.${tool.name}`, plugin: row.name }));
}

/** A tool of a plugin that has never been listed, as its manifest says. */
async function declared(kernel: GumServer["kernel"], variant: VariantRow): Promise<ListedTool> {
  const { title, description, risk_class, binding } = variant;
  const schema = await schemaOf(kernel, variant, binding.request_ref);
  return {
    name: binding.tool_name,
    title,
    description,
    inputSchema: schema ?? { type: "object" },
    annotations: { readOnlyHint: risk_class === "read", destructiveHint: risk_class === "destructive" },
  };
}
