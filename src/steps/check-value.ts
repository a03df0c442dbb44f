import type { Host } from "../host/host.ts";
import type { CallRuntime } from "../model/call-runtime.ts";
import type { Profile } from "../model/profile.ts";
import type { VariantRow } from "../model/registry.ts";
import type { StepTools } from "../pipeline/step.ts";
import { readSchema } from "../registry/schema-store.ts";
import type { Violation } from "../wire/schema-check.ts";

export interface ValueCheck {
  readonly profile: Profile;
  readonly runtime: CallRuntime;
  readonly variant: VariantRow;
  readonly side: "request" | "response";
  readonly value: unknown;
}

/**
 * The violations of a value against the variant's own schema; undefined when there is no schema, or none that can be
 * used, which is warned about once.
 */
export async function checkValue(
  { host, warn }: Pick<StepTools, "host" | "warn">,
  { profile, runtime, variant, side, value }: ValueCheck,
): Promise<readonly Violation[] | undefined> {
  const ref = side === "request" ? variant.binding.request_ref : variant.binding.response_ref;
  const digest = ref === null ? undefined : variant.schema_hashes[ref];
  if (ref === null || digest === undefined) return undefined;
  const schema = await storedSchema(host, profile, ref, digest);
  const verdict = await runtime.schemas.check(variant.owner_plugin, schema, value);
  if (verdict.kind === "checked") return verdict.violations;
  const why =
    verdict.kind === "broken" ? verdict.reason : `it took longer than ${verdict.deadlineMs} ms to apply`;
  const message = `The ${side} schema of "${variant.op_id}" was not applied: ${why.replace(/\.$/, "")}.`;
  if (!runtime.warned.has(message)) warn({ message, hint: "report it to the plugin's author" });
  runtime.warned.add(message);
  return undefined;
}

/** Schemas are stored by digest, so one that was read stays right for the life of the process. */
const known = new WeakMap<Host, Map<string, unknown>>();
const maxKnown = 1000;

async function storedSchema(host: Host, profile: Profile, ref: string, digest: string): Promise<unknown> {
  const schemas = known.get(host) ?? new Map<string, unknown>();
  known.set(host, schemas);
  if (schemas.has(digest)) return schemas.get(digest);
  const schema = await readSchema(host, profile, ref, digest);
  if (schemas.size >= maxKnown) schemas.clear();
  schemas.set(digest, schema);
  return schema;
}
