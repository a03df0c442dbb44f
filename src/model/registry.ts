// The three files of a generation. Fields are spelt as on disk; arrays are sorted when they are written.
import * as v from "valibot";
import { Plugin } from "./plugin.ts";
import { RiskClass } from "./risk.ts";

const Text = v.string();
const Texts = v.array(v.string());
const Instant = v.pipe(v.string(), v.isoTimestamp());
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What all three files of one generation share. */
const stamp = { install_generation: Count, install_txid: Text, updated_at: Instant };

export const VariantRow = v.strictObject({
  op_id: Text,
  variant_id: Text,
  variant_schema_version: v.literal(1),
  owner_plugin: Text,
  title: Text,
  description: Text,
  risk_class: RiskClass,
  confirmation_policy: Text,
  backend_kind: Text,
  interface_kind: Text,
  capabilities: Texts,
  scopes: Texts,
  auth_strategy: Text,
  output_profile: v.nullable(Text),
  null_elision_safe_fields: Texts,
  schema_hashes: v.record(v.string(), v.string()),
  tool_sha256: v.nullable(Text),
  binding: v.strictObject({
    binding_schema_version: v.literal(1),
    adapter_key: v.picklist(["plugin.shape1-mcp", "plugin.jsonl", "plugin.handshake", "plugin.esm"]),
    operation_key: Text,
    request_ref: v.nullable(Text),
    response_ref: v.nullable(Text),
    plugin_name: Text,
    tool_name: Text,
  }),
});
export type VariantRow = v.InferOutput<typeof VariantRow>;

export const Catalog = v.strictObject({
  plugin_catalog_schema_version: v.literal(1),
  ...stamp,
  variants: v.array(VariantRow),
});
export type Catalog = v.InferOutput<typeof Catalog>;

/** Paths and more that the operator granted beyond the manifest. */
export const Grants = v.strictObject({ read: Texts, write: Texts, shm: v.boolean(), capabilities: Texts });
export type Grants = v.InferOutput<typeof Grants>;

/** The program that runs a script, as it was when the plugin was installed. */
export const Interpreter = v.strictObject({ path: Text, version: Text, sha256: Text });
export type Interpreter = v.InferOutput<typeof Interpreter>;

/** The tools as they were listed when they were pinned (T28): the name of the stored list, and its digest. */
export const Pins = v.strictObject({ ref: Text, sha256: Text });
export type Pins = v.InferOutput<typeof Pins>;

export const LockRow = v.strictObject({
  name: Text,
  version: Text,
  namespace_owner: Text,
  prefix: Text,
  package: v.strictObject({ source: Text, ref: Text, checksum: Text }),
  executable_path: Text,
  executable_sha256: Text,
  argv_normalized: Texts,
  install_root: Text,
  source_sha256: Text,
  install_tree_sha256: Text,
  file_count: Count,
  total_bytes: Count,
  granted_capabilities: Grants,
  sandbox: v.strictObject({ network: v.boolean(), fs_write_dir: Text }),
  signature: v.strictObject({ verified: v.boolean(), key_id: v.nullable(Text) }),
  install_pipeline_sha256: Text,
  tools_sha256: v.nullable(Text),
  /** Null or absent until the plugin has once been started and has listed its tools. */
  pins: v.optional(v.nullable(Pins), null),
  interpreter: v.nullable(Interpreter),
  linked: v.boolean(),
  installed_at: Instant,
  /** Name of the seal file beside the install root. */
  seal: v.nullable(Text),
  plugin: Plugin,
});
export type LockRow = v.InferOutput<typeof LockRow>;

/** What somebody once said yes to, so that the same or less needs no second question. */
export const Consent = v.strictObject({
  at: Instant,
  network: v.boolean(),
  fs_write_dir: Text,
  env: Texts,
  credentials: Texts,
  risk_classes: v.array(RiskClass),
  grants: Grants,
});
export type Consent = v.InferOutput<typeof Consent>;

export const NamespaceRow = v.strictObject({
  prefix: Text,
  namespace_owner: Text,
  claimed_at: Instant,
  transfer_history: v.array(v.strictObject({ from: Text, to: v.nullable(Text), at: Instant })),
  consent: v.nullable(Consent),
});
export type NamespaceRow = v.InferOutput<typeof NamespaceRow>;

export const Lock = v.strictObject({
  plugins_lock_schema_version: v.literal(1),
  ...stamp,
  plugins: v.array(LockRow),
  namespaces: v.array(NamespaceRow),
});
export type Lock = v.InferOutput<typeof Lock>;

export const statuses = [
  "quarantined",
  "needs_configuration",
  "installed_pending_restart",
  "active",
] as const;
export const Status = v.picklist(statuses);
export type Status = v.InferOutput<typeof Status>;

export const StateRow = v.strictObject({
  name: Text,
  status: Status,
  installed_at: Instant,
  activated_at: v.nullable(Instant),
  quarantined: v.boolean(),
  quarantined_at: v.nullable(Instant),
  reason: v.nullable(Text),
  last_error_code: v.nullable(Text),
  retry_count: Count,
  backoff_step: Count,
  next_retry_at: v.nullable(Instant),
  permanent_quarantine: v.boolean(),
  needs_configuration: v.boolean(),
  last_canary: v.nullable(
    v.strictObject({ at: Instant, ok: v.boolean(), latency_ms: v.number(), code: v.nullable(Text) }),
  ),
});
export type StateRow = v.InferOutput<typeof StateRow>;

export const State = v.strictObject({
  plugin_state_schema_version: v.literal(1),
  ...stamp,
  plugins: v.array(StateRow),
});
export type State = v.InferOutput<typeof State>;

/** One complete, consistent set of registry files. */
export interface Registry {
  readonly catalog: Catalog;
  readonly lock: Lock;
  readonly state: State;
}
