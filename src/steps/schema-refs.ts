import type { Plugin, Tool } from "../model/plugin.ts";

/** What the stored schemas of a tool are called, without the side: its own ref, or one that follows from its name. */
export function schemaRefOf(plugin: Pick<Plugin, "id">, tool: Tool): string {
  return tool.schema_ref ?? `${plugin.id}.${tool.name.toLowerCase().replaceAll("/", "-")}`;
}

/** What a tool's stored request schema is called. */
export function requestRefOf(plugin: Pick<Plugin, "id">, tool: Tool): string {
  return `${schemaRefOf(plugin, tool)}.request`;
}

/** What a tool's stored response schema is called. */
export function responseRefOf(plugin: Pick<Plugin, "id">, tool: Tool): string {
  return `${schemaRefOf(plugin, tool)}.response`;
}
