// Written by src/dev/docs.ts from the files in schemas/; not to be edited.

/** Every published schema by name, loaded when it is asked for. */
export const schemaTable: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  "manifest.flat.v1": () => import("../../schemas/manifest.flat.v1.schema.json", { with: { type: "json" } }),
  "manifest.nested.v1": () =>
    import("../../schemas/manifest.nested.v1.schema.json", { with: { type: "json" } }),
  "manifest.v1": () => import("../../schemas/manifest.v1.schema.json", { with: { type: "json" } }),
  "mcp-plugin.v1": () => import("../../schemas/mcp-plugin.v1.schema.json", { with: { type: "json" } }),
  "mcp-plugin.v2": () => import("../../schemas/mcp-plugin.v2.schema.json", { with: { type: "json" } }),
  "plugin-catalog.v1": () =>
    import("../../schemas/plugin-catalog.v1.schema.json", { with: { type: "json" } }),
  "plugin-state.v1": () => import("../../schemas/plugin-state.v1.schema.json", { with: { type: "json" } }),
  "plugins-lock.v1": () => import("../../schemas/plugins-lock.v1.schema.json", { with: { type: "json" } }),
};
