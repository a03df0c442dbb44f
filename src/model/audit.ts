// One row of audit.jsonl. It never holds a secret, an argument's value or the value of a variable.
import * as v from "valibot";

const Text = v.string();
const Scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);

/** What happened, as the one who writes the row says it. */
export const AuditEvent = v.strictObject({
  /** Such as `plugin.install`, `plugin.call`, `namespace.transfer`. */
  event: Text,
  outcome: v.picklist(["ok", "failed", "refused", "quarantined", "interrupted"]),
  profile: v.optional(Text),
  plugin: v.optional(Text),
  code: v.optional(Text),
  pipeline: v.optional(Text),
  pipeline_sha256: v.optional(Text),
  steps: v.optional(
    v.array(v.strictObject({ step: Text, outcome: Text, ms: v.number(), code: v.optional(Text) })),
  ),
  generation: v.optional(v.number()),
  details: v.optional(v.record(v.string(), v.union([Scalar, v.array(Scalar)]))),
});
export type AuditEvent = v.InferOutput<typeof AuditEvent>;

/** A row as it stands in the file: `prev` is the SHA-256 of the line before, without its newline. */
export const AuditRow = v.strictObject({
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  prev: v.pipe(Text, v.regex(/^[0-9a-f]{64}$/)),
  at: v.pipe(Text, v.isoTimestamp()),
  ...AuditEvent.entries,
});
export type AuditRow = v.InferOutput<typeof AuditRow>;
