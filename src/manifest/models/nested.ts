// Form B, the nested manifest of the plugin contract, as TOML or JSON.
import * as v from "valibot";
import { riskClasses } from "../../model/risk.ts";
import {
  about,
  Flag,
  InnerPath,
  listOf,
  Milliseconds,
  matching,
  NamespaceOwner,
  NonEmpty,
  oneOf,
  oneOrPrivate,
  PluginId,
  Text,
  Texts,
  ToolName,
  table,
  WritePath,
} from "./parts.ts";
import {
  CanaryEntry,
  EnvAllow,
  EnvLiterals,
  HandshakeCapabilities,
  HandshakeTable,
  RequestsTable,
  requirements,
} from "./requirements.ts";

export const capabilityAtoms = ["idempotent", "paginated", "streaming", "long_running"] as const;
export const interfaceOf = {
  "mcp-plugin": "plugin-mcp",
  "jsonl-plugin": "plugin-jsonl",
  "handshake-plugin": "plugin-handshake",
  "esm-plugin": "plugin-esm",
  "grpc-plugin": "plugin-grpc",
} as const;

const backendKinds = Object.keys(interfaceOf);
const interfaceKinds = Object.values(interfaceOf);
const packageSources = ["local", "archive", "git", "github-release", "pypi"] as const;

/** Whether a plugin can come from there. */
export function isPackageSource(source: string): boolean {
  return packageSources.some((known) => known === source);
}

export const SchemaRef = matching(
  /^(?!.*\.\.)[a-z0-9][a-z0-9._-]{0,127}$/,
  "1 to 128 of a-z, 0-9, ., _ and -, without ..",
);

const ToolEntry = table({
  op_id: about(
    matching(
      /^[a-z][a-z0-9_-]{0,63}(?:\.[A-Za-z0-9_/-]{1,64}){0,8}$/,
      "a dotted name such as flights.search",
    ),
    "The operation; all of a plugin share the part before the first dot.",
  ),
  variant_id: matching(/^[A-Za-z0-9_][A-Za-z0-9_./-]{0,255}$/, "a dotted name such as flights.search.mcp.v1"),
  title: v.optional(Text),
  description: v.optional(Text),
  backend_kind: about(oneOrPrivate(backendKinds), "Equal to the plugin's shape."),
  interface_kind: about(oneOrPrivate(interfaceKinds), "The interface that belongs to the backend_kind."),
  execution_support: v.optional(oneOf(["full", "schema_only"])),
  risk_class: oneOf(riskClasses),
  confirmation_policy: v.optional(oneOf(["none", "high_stakes_write"])),
  capabilities: listOf(oneOrPrivate(capabilityAtoms), 0, 50),
  scopes: Texts,
  schema_ref: about(SchemaRef, "schemas/<schema_ref>.json holds the request and response schema."),
  output_profile: v.optional(about(NonEmpty, "The output profile that shapes results.")),
  raw_result_allowed: v.optional(Flag),
  token_budget_exception: v.optional(about(NonEmpty, "Why results may stay unshaped.")),
  null_elision_safe_fields: v.optional(listOf(Text, 0)),
  tool_name: about(ToolName, "The name that the running plugin knows the tool by."),
  rpc_service: v.optional(NonEmpty),
  rpc_method: v.optional(NonEmpty),
});

const PluginTable = table({
  name: about(PluginId, "The plugin's id."),
  title: v.optional(about(Text, "The name that people see.")),
  version: NonEmpty,
  description: NonEmpty,
  namespace_owner: NamespaceOwner,
  shape: oneOf(["mcp-plugin", "mcp-subprocess", "jsonl-plugin", "handshake-plugin"]),
  command: about(
    v.union(
      [NonEmpty, v.pipe(v.tupleWithRest([InnerPath], Text))],
      "must be text or a list that begins with a path",
    ),
    "The program inside the folder and its arguments.",
  ),
  license: NonEmpty,
  tos_status: oneOf(["official", "permitted", "gray", "unknown"]),
  risk: oneOf(["low", "medium", "high"]),
  homepage: v.optional(Text),
  timeout_ms: v.optional(Milliseconds),
  capabilities: v.optional(HandshakeCapabilities),
});

/** Form B. */
export const NestedManifest = v.pipe(
  table({
    $schema: v.optional(Text),
    manifest_schema_version: about(v.literal(1, "must be the integer 1"), "Always 1, at the top level."),
    plugin: PluginTable,
    package: table({
      source: oneOf(packageSources),
      ref: Text,
      checksum: matching(/^(?:(?:sha256:)?[0-9a-fA-F]{64})?$/, "empty or sha256: and 64 hex digits"),
    }),
    requirements: table({
      ...requirements,
      canary: about(CanaryEntry, "The trial call."),
      network: v.optional(Flag),
      fs_write_dir: v.optional(WritePath),
      env_allow: v.optional(EnvAllow),
    }),
    tools: listOf(ToolEntry, 1),
    env: v.optional(EnvLiterals),
    handshake: v.optional(HandshakeTable),
    requests: v.optional(RequestsTable),
  }),
  v.title("gum plugin manifest, nested form"),
);
