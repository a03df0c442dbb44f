// What a server tells about plugins and operations. Nothing here names an environment variable: whoever reads it over
// MCP may be anybody's model.
import { GumError } from "../base/errors.ts";
import { nearestNames } from "../base/suggest.ts";
import type { ResolvedOp } from "../model/call.ts";
import type { CredentialDescriptor } from "../model/plugin.ts";
import type { LockRow, Status, VariantRow } from "../model/registry.ts";
import { readSchema } from "../registry/schema-store.ts";
import { viewPlugin } from "../registry/snapshot.ts";
import { findOp } from "../steps/resolve-op.ts";
import type { PluginSummary } from "./answers.ts";
import { describeResolved, type OpDescription } from "./describe.ts";
import type { GumServer } from "./server.ts";

/** An operation that cannot be called now: what it is called and why not. */
export interface InactiveOp {
  readonly op_id: string;
  readonly variant_id: string;
  readonly plugin: string;
  readonly status: Status;
}

/** Every installed plugin by name, as the registry is now. */
export async function inventory(server: GumServer): Promise<PluginSummary[]> {
  const { registry, statusOf } = await server.current();
  return registry.lock.plugins.flatMap(({ name, version, plugin }) => {
    const status = statusOf(name);
    return status === undefined ? [] : [{ id: name, version, name: plugin.title, status }];
  });
}

/** Catalog, state and lock of one plugin (R14). */
export async function pluginView(server: GumServer, name: string): Promise<Record<string, unknown>> {
  const { registry, statusOf } = await server.current();
  const { lock, state, variants, metadataWarning } = viewPlugin(registry, name) ?? {};
  const status = statusOf(name);
  if (lock === undefined || state === undefined || status === undefined) {
    throw resourceNotFound(
      `No plugin "${name}" is installed in this profile.`,
      name,
      registry.lock.plugins.map((row) => row.name),
    );
  }
  return {
    name,
    version: lock.version,
    title: lock.plugin.title,
    description: lock.plugin.description,
    status,
    catalog: variants,
    state,
    lock: lockView(lock),
    ...(metadataWarning === undefined ? {} : { metadata_warning: metadataWarning }),
    ...(status === "needs_configuration" ? setupView(lock) : {}),
  };
}

function lockView(row: LockRow): Record<string, unknown> {
  const { plugin, seal: _, ...rest } = row;
  const { license, homepage, shape, rate_policy, cache_ttl, capabilities } = plugin;
  return { ...rest, plugin: { license, homepage, shape, rate_policy, cache_ttl, capabilities } };
}

function setupView({ name, plugin }: LockRow): Record<string, unknown> {
  const safe = ({ alias, kind, display_name, setup_hint }: Omit<CredentialDescriptor, "env">) => ({
    alias,
    kind,
    display_name,
    setup_hint,
  });
  return {
    credentials: plugin.credential_descriptors.map(safe),
    setup_command: `gum plugin setup ${name}`,
  };
}

/** One operation, described when it can be called; its status alone when it cannot. */
export async function opView(
  server: GumServer,
  op: string,
  variantId?: string,
): Promise<OpDescription | InactiveOp> {
  const { registry, statusOf } = await server.catalog();
  return opAnswer(
    server,
    findOp(registry, { op, variantId }, (_, plugin) => statusOf(plugin)),
  );
}

/** One variant by its own id. */
export async function variantView(server: GumServer, id: string): Promise<OpDescription | InactiveOp> {
  const { registry, statusOf } = await server.catalog();
  const variant = registry.catalog.variants.find((row) => row.variant_id === id);
  if (variant === undefined) {
    throw resourceNotFound(
      `There is no variant "${id}".`,
      id,
      registry.catalog.variants.map((row) => row.variant_id),
    );
  }
  const op = variant.op_id;
  return opAnswer(
    server,
    findOp(registry, { op, variantId: id }, (_, plugin) => statusOf(plugin)),
  );
}

async function opAnswer(server: GumServer, resolved: ResolvedOp): Promise<OpDescription | InactiveOp> {
  const { variant, lock, state, status } = resolved;
  if (status === "active") return describeResolved(server.kernel, resolved);
  if (status !== "quarantined") {
    return { op_id: variant.op_id, variant_id: variant.variant_id, plugin: lock.name, status };
  }
  throw new GumError(
    "VARIANT_QUARANTINED",
    `Plugin "${lock.name}" is quarantined: ${state.reason ?? "no reason was recorded"}`,
    {
      details: {
        status,
        plugin: lock.name,
        last_error_code: state.last_error_code,
        next_retry_at: state.next_retry_at,
      },
    },
  );
}

/** A schema that an active operation refers to. */
export async function schemaView(server: GumServer, ref: string): Promise<unknown> {
  const { variants } = await server.catalog();
  const digest = variants.map((row) => schemaDigest(row, ref)).find((found) => found !== undefined);
  if (digest === undefined) {
    throw resourceNotFound(`No active operation has a schema "${ref}".`, ref, await schemaRefs(server));
  }
  return readSchema(server.kernel.host, server.kernel.profile, ref, digest);
}

/** The refs of the schemas of active operations. */
export async function schemaRefs(server: GumServer): Promise<string[]> {
  const { variants } = await server.catalog();
  return [...new Set(variants.flatMap((row) => Object.keys(row.schema_hashes)))].sort();
}

function schemaDigest({ schema_hashes }: VariantRow, ref: string): string | undefined {
  return Object.hasOwn(schema_hashes, ref) ? schema_hashes[ref] : undefined;
}

/** A resource that is not there, with the nearest names that are. */
export function resourceNotFound(message: string, wanted: string, known: readonly string[]): GumError {
  const near = nearestNames(wanted, known, 3);
  return new GumError("RESOURCE_NOT_FOUND", message, {
    hint: near.length > 0 ? `did you mean ${near.map((name) => `"${name}"`).join(" or ")}?` : undefined,
    details: { nearest: near },
  });
}
