// The one plugin that everything after `validate` knows, whatever dialect its manifest was written in.
// It is kept whole in the lock (so its fields are spelt as on disk), and nothing after install reads a manifest again.
import * as v from "valibot";
import { RiskClass } from "./risk.ts";

export const shapes = ["mcp-plugin", "jsonl-plugin", "handshake-plugin", "esm-plugin"] as const;
export const Shape = v.picklist(shapes);
export type Shape = v.InferOutput<typeof Shape>;

const Text = v.string();
const Texts = v.array(v.string());
const Json = v.unknown();

/** `{ per_minute, burst }`, enforced per plugin and profile. */
export const RatePolicy = v.strictObject({ per_minute: v.number(), burst: v.number() });

/** A trial call. Without a `tool` the canary is the handshake itself. */
export const Canary = v.strictObject({
  tool: Text,
  args: v.record(v.string(), Json),
  expect: v.nullable(
    v.strictObject({
      is_error: v.optional(v.boolean()),
      has: v.optional(Texts),
      equals: v.optional(v.record(v.string(), Json)),
      max_ms: v.optional(v.number()),
      response_schema: v.optional(Json),
    }),
  ),
  timeout_ms: v.nullable(v.number()),
});
export type Canary = v.InferOutput<typeof Canary>;

export const CredentialDescriptor = v.strictObject({
  alias: Text,
  env: Text,
  kind: v.picklist(["api_key", "oauth_token", "cookie", "session", "other"]),
  display_name: Text,
  setup_hint: Text,
});
export type CredentialDescriptor = v.InferOutput<typeof CredentialDescriptor>;

export const AuthComponent = v.strictObject({
  kind: Text,
  alias: Text,
  display_name: Text,
  setup_hint: Text,
  env: v.nullable(Text),
});
export type AuthComponent = v.InferOutput<typeof AuthComponent>;

/** One operation of a plugin and how it is reached. */
export const Tool = v.strictObject({
  /** The name that the running plugin knows it by. */
  name: Text,
  title: v.nullable(Text),
  description: Text,
  op_id: Text,
  variant_id: Text,
  backend_kind: Text,
  interface_kind: Text,
  risk_class: RiskClass,
  confirmation_policy: v.picklist(["none", "high_stakes_write"]),
  capabilities: Texts,
  scopes: Texts,
  schema_ref: v.nullable(Text),
  output_profile: v.nullable(Text),
  raw_result_allowed: v.boolean(),
  token_budget_exception: v.nullable(Text),
  null_elision_safe_fields: Texts,
  execution_support: v.nullable(Text),
});
export type Tool = v.InferOutput<typeof Tool>;

/** The core-owned side of the handshake wire. */
export const HandshakeSpec = v.strictObject({
  protocol: Text,
  plugin_id: Text,
  launch_timeout_ms: v.number(),
  handshake_timeout_ms: v.number(),
  timeout_ms: v.number(),
  teardown_timeout_ms: v.number(),
});
export type HandshakeSpec = v.InferOutput<typeof HandshakeSpec>;

/** What only ES-module plugins have. */
export const EsmSpec = v.strictObject({
  entry: Text,
  manifest_version: v.picklist(["1", "2"]),
  declared: v.strictObject({ tools: Texts, resources: Texts, prompts: Texts }),
  permissions: v.strictObject({ network: v.boolean(), fs_read: Texts, fs_write: Texts, exec: v.boolean() }),
  dependencies: Texts,
  external_dependencies: v.record(v.string(), v.string()),
  dependencies_policy: v.nullable(Text),
});

export const Plugin = v.strictObject({
  id: Text,
  title: Text,
  version: Text,
  description: Text,
  license: v.nullable(Text),
  homepage: v.nullable(Text),
  tos_status: v.nullable(Text),
  risk: v.nullable(Text),
  namespace_owner: Text,
  /** What the plugin's op ids start with, and what the namespace lock claims. */
  prefix: Text,
  shape: Shape,
  /** The program as the manifest names it, then its arguments; `${data}` and `${root}` not yet expanded. */
  command: v.pipe(Texts, v.minLength(1)),
  env: v.record(v.string(), v.string()),
  package: v.strictObject({ source: Text, ref: Text, checksum: Text }),
  tools: v.array(Tool),
  network: v.boolean(),
  fs_write_dir: Text,
  env_allow: Texts,
  /** What the manifest asks the operator for beyond its sandbox; asking grants nothing. */
  requests: v.strictObject({ read: Texts, write: Texts, shm: v.boolean() }),
  needs_user_creds: Texts,
  credential_descriptors: v.array(CredentialDescriptor),
  auth_strategy: Text,
  auth_components: v.array(AuthComponent),
  canary: v.nullable(Canary),
  rate_policy: v.nullable(RatePolicy),
  cache_ttl: v.nullable(v.number()),
  timeout_ms: v.nullable(v.number()),
  capabilities: Texts,
  handshake: v.nullable(HandshakeSpec),
  esm: v.nullable(EsmSpec),
});
export type Plugin = v.InferOutput<typeof Plugin>;
