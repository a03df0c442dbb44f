// What a generation says about itself, beside its three files.
import * as v from "valibot";

const Text = v.string();
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** One difference between a generation and the one before it, as `gum plugin history` shows it. */
export const GenerationChange = v.strictObject({
  what: v.picklist([
    "plugin_added",
    "plugin_removed",
    "plugin_upgraded",
    "plugin_changed",
    "namespace_claimed",
    "namespace_transferred",
    "namespace_released",
  ]),
  name: Text,
  from: v.nullable(Text),
  to: v.nullable(Text),
});
export type GenerationChange = v.InferOutput<typeof GenerationChange>;

/** The last row of the audit log: how many rows there are and the digest of the last one. */
export const AuditHead = v.strictObject({ seq: Count, sha256: Text });
export type AuditHead = v.InferOutput<typeof AuditHead>;

/** `generation.json`: who made this generation, what it changed, and the digests of the three files. */
export const GenerationRecord = v.strictObject({
  generation_schema_version: v.literal(1),
  install_generation: Count,
  install_txid: Text,
  at: v.pipe(v.string(), v.isoTimestamp()),
  command: Text,
  /** The gum that checked the files: another one checks them again, and fills in fields that it has added. */
  written_by: v.optional(Text, ""),
  /** Whether lock or catalog differ from the generation before; state alone does not count. */
  content_changed: v.boolean(),
  changes: v.array(GenerationChange),
  audit_head: v.nullable(AuditHead),
  files: v.strictObject({ catalog: Text, lock: Text, state: Text }),
});
export type GenerationRecord = v.InferOutput<typeof GenerationRecord>;

/** `references.json`: the install roots and stored schemas that a generation needs. */
export const GenerationReferences = v.strictObject({ roots: v.array(Text), schemas: v.array(Text) });
export type GenerationReferences = v.InferOutput<typeof GenerationReferences>;
