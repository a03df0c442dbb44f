import type { ResolvedOp } from "../model/call.ts";
import type { VariantRow } from "../model/registry.ts";
import { readSchema } from "../registry/schema-store.ts";
import { findOp } from "../steps/resolve-op.ts";
import { activeRegistry } from "./activation.ts";
import type { Kernel } from "./kernel.ts";
import { skeletonOf } from "./skeleton.ts";

/** What a caller must know before calling an operation. */
export interface OpDescription {
  readonly op_id: string;
  readonly variant_id: string;
  readonly plugin: string;
  readonly version: string;
  readonly status: string;
  readonly title: string;
  readonly description: string;
  readonly risk_class: VariantRow["risk_class"];
  readonly confirmation_policy: string;
  readonly auth_strategy: string;
  readonly output_profile: string | null;
  readonly request_ref: string | null;
  readonly response_ref: string | null;
  readonly request_schema: unknown;
  readonly response_schema: unknown;
  /** Arguments with every required field, to be filled in. */
  readonly skeleton: unknown;
}

/** Describes one operation, with its schemas inline. */
export async function describeOp(kernel: Kernel, op: string, variantId?: string): Promise<OpDescription> {
  return describeResolved(kernel, findOp(await activeRegistry(kernel), { op, variantId }));
}

/** Describes an operation that was found, with its schemas inline. */
export async function describeResolved(kernel: Kernel, resolved: ResolvedOp): Promise<OpDescription> {
  const { variant, lock, status } = resolved;
  const { request_ref, response_ref } = variant.binding;
  const request = await schemaOf(kernel, variant, request_ref);
  return {
    op_id: variant.op_id,
    variant_id: variant.variant_id,
    plugin: lock.name,
    version: lock.version,
    status,
    title: variant.title,
    description: variant.description,
    risk_class: variant.risk_class,
    confirmation_policy: variant.confirmation_policy,
    auth_strategy: variant.auth_strategy,
    output_profile: variant.output_profile,
    request_ref,
    response_ref,
    request_schema: request,
    response_schema: await schemaOf(kernel, variant, response_ref),
    skeleton: request === null ? {} : skeletonOf(request),
  };
}

/** A stored schema of a variant; null when it has none. */
export async function schemaOf(kernel: Kernel, variant: VariantRow, ref: string | null): Promise<unknown> {
  const digest = ref === null ? undefined : variant.schema_hashes[ref];
  return ref === null || digest === undefined ? null : readSchema(kernel.host, kernel.profile, ref, digest);
}
