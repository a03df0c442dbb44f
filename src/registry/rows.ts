// Changes of a registry by whole plugins, and the status that a state row amounts to. All pure: a change returns a
// new registry and shares every row that it leaves alone. Time is always given.
import { GumError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Claim } from "../model/install.ts";
import type { Consent, LockRow, Registry, StateRow, Status, VariantRow } from "../model/registry.ts";
import { withClaim } from "./namespaces.ts";

/** Everything that an install adds. */
export interface PluginRows {
  readonly lock: LockRow;
  readonly variants: readonly VariantRow[];
  readonly state: StateRow;
  /** Proven against this very registry by `claimNames`. */
  readonly claim: Claim;
  readonly consent: Consent | null;
}

/** The registry with a plugin installed, in the place of the one with its name if there is one. */
export function addPlugin(registry: Registry, rows: PluginRows, now: string): Registry {
  const { name } = rows.lock;
  const others = withoutRows(registry, name);
  refuseTakenVariants(others, rows);
  refuseSchemaCollisions(others, rows.variants);
  return {
    catalog: { ...registry.catalog, variants: [...others.catalog.variants, ...rows.variants] },
    lock: {
      ...registry.lock,
      plugins: [...others.lock.plugins, rows.lock],
      namespaces: withClaim(registry, rows.claim, now, rows.consent),
    },
    state: { ...registry.state, plugins: [...others.state.plugins, rows.state] },
  };
}

/** The registry without a plugin; its namespace claims stay (T4). */
export function removePlugin(registry: Registry, name: string): Registry {
  if (registry.lock.plugins.some((row) => row.name === name)) return withoutRows(registry, name);
  const names = registry.lock.plugins.map((row) => row.name);
  throw new GumError(
    "PLUGIN_NOT_FOUND",
    `No plugin "${name}" is installed in this profile${didYouMean(name, names) || "."}`,
  );
}

/** The registry with every install-valid, configured, non-quarantined plugin active since `at` (R13). */
export function activate(registry: Registry, at: string): Registry {
  const installed = new Set(registry.lock.plugins.map((row) => row.name));
  const plugins = registry.state.plugins.map((row) => (installed.has(row.name) ? activated(row, at) : row));
  if (plugins.every((row, index) => row === registry.state.plugins[index])) return registry;
  return { catalog: registry.catalog, lock: registry.lock, state: { ...registry.state, plugins } };
}

/** Schemas that another plugin of the profile stores under the same ref with another body (M29). */
export function schemaCollisions(
  registry: Registry,
  plugin: string,
  hashes: Readonly<Record<string, string>>,
): { ref: string; plugin: string; sha256: string }[] {
  return registry.catalog.variants
    .filter((variant) => variant.owner_plugin !== plugin)
    .flatMap((variant) =>
      Object.entries(variant.schema_hashes)
        .filter(([ref, digest]) => Object.hasOwn(hashes, ref) && hashes[ref] !== digest)
        .map(([ref, digest]) => ({ ref, plugin: variant.owner_plugin, sha256: digest })),
    );
}

/** A new plugin's row; it is not active before a process activates it (R13). */
export function newStateRow(
  name: string,
  installedAt: string,
  options: { needsConfiguration: boolean; canary?: StateRow["last_canary"] },
): StateRow {
  return withStatus({
    name,
    status: "installed_pending_restart",
    installed_at: installedAt,
    activated_at: null,
    ...calm,
    needs_configuration: options.needsConfiguration,
    last_canary: options.canary ?? null,
  });
}

/** What no quarantine and no failure look like. */
export const calm = {
  quarantined: false,
  quarantined_at: null,
  reason: null,
  last_error_code: null,
  retry_count: 0,
  backoff_step: 0,
  next_retry_at: null,
  permanent_quarantine: false,
} as const;

/** The status that the other fields amount to, in order of precedence (R12). */
export function statusOf(row: Omit<StateRow, "status">): Status {
  if (row.quarantined) return "quarantined";
  if (row.needs_configuration) return "needs_configuration";
  return row.activated_at === null ? "installed_pending_restart" : "active";
}

/** The row as activated at that time, when nothing stands against it (R13). */
export function activated(row: StateRow, at: string): StateRow {
  if (row.activated_at !== null || row.quarantined || row.needs_configuration) return row;
  return withStatus({ ...row, activated_at: at });
}

/** The registry with one state row changed; the same registry when the row stays the same. */
export function withState(registry: Registry, name: string, change: (row: StateRow) => StateRow): Registry {
  const row = registry.state.plugins.find((one) => one.name === name);
  if (row === undefined)
    throw new GumError("PLUGIN_NOT_FOUND", `No plugin "${name}" is installed in this profile.`);
  const next = change(row);
  if (next === row) return registry;
  const plugins = registry.state.plugins.map((one) => (one === row ? next : one));
  return { catalog: registry.catalog, lock: registry.lock, state: { ...registry.state, plugins } };
}

/** The row with its status brought up to date. */
export function withStatus(row: StateRow): StateRow {
  return { ...row, status: statusOf(row) };
}

function withoutRows(registry: Registry, name: string): Registry {
  return {
    catalog: {
      ...registry.catalog,
      variants: registry.catalog.variants.filter((variant) => variant.owner_plugin !== name),
    },
    lock: { ...registry.lock, plugins: registry.lock.plugins.filter((row) => row.name !== name) },
    state: { ...registry.state, plugins: registry.state.plugins.filter((row) => row.name !== name) },
  };
}

function refuseTakenVariants(others: Registry, rows: PluginRows): void {
  const taken = new Map(others.catalog.variants.map((variant) => [variant.variant_id, variant.owner_plugin]));
  const own = new Set<string>();
  for (const { variant_id } of rows.variants) {
    const owner = taken.get(variant_id) ?? (own.has(variant_id) ? rows.lock.name : undefined);
    own.add(variant_id);
    if (owner === undefined) continue;
    throw new GumError(
      "PLUGIN_MANIFEST_INVALID",
      `The variant_id "${variant_id}" of plugin "${rows.lock.name}" is taken by plugin "${owner}".`,
      { details: { variant_id, plugin: owner } },
    );
  }
}

function refuseSchemaCollisions(others: Registry, variants: readonly VariantRow[]): void {
  for (const variant of variants) {
    const [first] = schemaCollisions(others, variant.owner_plugin, variant.schema_hashes);
    if (first === undefined) continue;
    throw new GumError(
      "SCHEMA_REF_COLLISION",
      `The schema "${first.ref}" of plugin "${variant.owner_plugin}" has another body than that of plugin "${first.plugin}".`,
      { details: { ref: first.ref, plugin: first.plugin, sha256: first.sha256 } },
    );
  }
}
