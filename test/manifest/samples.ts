import type { ManifestName } from "../../src/model/document.ts";
import { type Folder, manifest, type Outcome, runAll } from "./run-all.ts";

/** Form A, as in the author guide. */
export function flat(): unknown {
  return {
    manifest_schema_version: 1,
    plugin_id: "fli",
    name: "Flight Search",
    version: "0.1.0",
    namespace_owner: "io.example.flights",
    shape: "mcp-plugin",
    executable: "bin/fli-mcp",
    advertised_tools: [{ name: "search", description: "Search flights", risk_class: "read" }],
    declared_capabilities: { network: true, fs_write_dir: "", env_allow: ["FLI_USER_AGENT"] },
  };
}

/** Form B, as in the plugin contract, with every required field. */
export function nested(): unknown {
  return {
    manifest_schema_version: 1,
    plugin: {
      name: "google-flights",
      version: "1.2.0",
      description: "Search flights",
      namespace_owner: "io.example.flights",
      shape: "mcp-plugin",
      command: ["bin/flights-mcp"],
      license: "MIT",
      tos_status: "gray",
      risk: "medium",
    },
    package: { source: "local", ref: "", checksum: "" },
    requirements: { canary: { tool: "flights_search", args: { origin: "SFO" } } },
    tools: [
      {
        op_id: "flights.search",
        variant_id: "flights.search.mcp.v1",
        backend_kind: "mcp-plugin",
        interface_kind: "plugin-mcp",
        risk_class: "read",
        capabilities: [],
        scopes: [],
        schema_ref: "flights.search",
        output_profile: "flights.search.v1",
        tool_name: "flights_search",
      },
    ],
  };
}

/** Form C, second generation. */
export function esm(): unknown {
  return {
    manifestVersion: "2",
    name: "net-utils",
    version: "1.1.0",
    entry: "dist/index.js",
    namespace_owner: "npm:@acme/net-utils",
    dist: { hash: `sha256:${"0".repeat(64)}` },
    capabilities: { tools: ["ping"] },
  };
}

const bundle = new TextEncoder().encode(
  '{"$defs":{"request":{"type":"object"},"response":{"type":"object"}}}',
);
const profile = {
  file: "profiles/flights.toml",
  text: '[output_profiles."flights.search.v1"]\nformat = "json"\n',
};

/** What all checks say about a changed sample; each change sets a dotted path, undefined removes it. */
export function outcomeOf(
  sample: unknown,
  changes: Readonly<Record<string, unknown>> = {},
  how: Partial<Folder> = {},
): Promise<Outcome> {
  const copy: unknown = structuredClone(sample);
  for (const [path, value] of Object.entries(changes)) set(copy, path.split("/"), value);
  const folder = manifest(nameOf(copy), JSON.stringify(copy, null, 2));
  return runAll({ ...folder, schemas: { "flights.search": bundle }, profiles: [profile], ...how });
}

/** `CODE path` of each finding. */
export async function findingsOf(
  sample: unknown,
  changes: Readonly<Record<string, unknown>> = {},
  how: Partial<Folder> = {},
): Promise<string[]> {
  const { findings } = await outcomeOf(sample, changes, how);
  return findings.map(({ code, path }) => `${code} ${path ?? ""}`.trimEnd());
}

function nameOf(sample: unknown): ManifestName {
  return typeof sample === "object" && sample !== null && "entry" in sample
    ? "mcp-plugin.json"
    : "manifest.json";
}

function set(target: unknown, path: readonly string[], value: unknown): void {
  const [head = "", ...rest] = path;
  if (typeof target !== "object" || target === null) throw new TypeError(`nothing at ${head}`);
  if (rest.length > 0) set(Reflect.get(target, head) ?? create(target, head), rest, value);
  else if (value === undefined) Reflect.deleteProperty(target, head);
  else Reflect.set(target, head, value);
}

function create(target: object, key: string): object {
  const made = {};
  Reflect.set(target, key, made);
  return made;
}
