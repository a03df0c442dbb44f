// What a process sees of a registry: one plugin with all that is known about it, and the snapshot of a server.
import type { LockRow, Registry, StateRow, Status, VariantRow } from "../model/registry.ts";
import { statusOf } from "./rows.ts";

/** Everything about one plugin, joined by its name within one profile (R14). */
export interface PluginView {
  readonly lock: LockRow | undefined;
  readonly state: StateRow | undefined;
  readonly variants: readonly VariantRow[];
  /** Set when lock and catalog disagree: state decides about quarantine, the catalog about dispatch. */
  readonly metadataWarning: "lock_catalog_mismatch" | undefined;
}

/** Looks a plugin up; undefined when no file knows it. */
export function viewPlugin(registry: Registry, name: string): PluginView | undefined {
  const lock = registry.lock.plugins.find((row) => row.name === name);
  const state = registry.state.plugins.find((row) => row.name === name);
  const variants = registry.catalog.variants.filter((row) => row.owner_plugin === name);
  if (lock === undefined && state === undefined && variants.length === 0) return undefined;
  return {
    lock,
    state,
    variants,
    metadataWarning: agrees(lock, variants) ? undefined : "lock_catalog_mismatch",
  };
}

/** What a long-lived process may call: the plugins that were active when it started, and still may be (R13). */
export interface Snapshot {
  readonly registry: Registry;
  /** Active plugins by name, with the install that was active. */
  readonly active: ReadonlyMap<string, string>;
}

/** Freezes what is active now for the life of a process. */
export function takeSnapshot(registry: Registry): Snapshot {
  const installed = new Set(registry.lock.plugins.map((row) => row.name));
  const active = registry.state.plugins
    .filter((row) => installed.has(row.name) && statusOf(row) === "active")
    .map((row): [string, string] => [row.name, row.installed_at]);
  return { registry, active: new Map(active) };
}

/** The snapshot without the plugins that are not installed any more: it never grows again (R13). */
export function shrink(snapshot: Snapshot, now: Registry): Snapshot {
  const installed = new Set(now.lock.plugins.map((row) => row.name));
  const kept = [...snapshot.active].filter(([name]) => installed.has(name));
  return kept.length === snapshot.active.size ? snapshot : { ...snapshot, active: new Map(kept) };
}

/**
 * The registry as the holder of a snapshot calls it: an install that was active then stays in use until the process
 * ends, also when another one has taken its place on disk; everything else is as it is now.
 */
export function seenThrough(snapshot: Snapshot, now: Registry): Registry {
  const replaced = new Set(
    now.state.plugins
      .filter((row) => (snapshot.active.get(row.name) ?? row.installed_at) !== row.installed_at)
      .map((row) => row.name),
  );
  if (replaced.size === 0) return now;
  const rows = <T>(current: readonly T[], then: readonly T[], nameOf: (row: T) => string): T[] => [
    ...current.filter((row) => !replaced.has(nameOf(row))),
    ...then.filter((row) => replaced.has(nameOf(row))),
  ];
  const { catalog, lock, state } = snapshot.registry;
  return {
    catalog: {
      ...now.catalog,
      variants: rows(now.catalog.variants, catalog.variants, (row) => row.owner_plugin),
    },
    lock: { ...now.lock, plugins: rows(now.lock.plugins, lock.plugins, (row) => row.name) },
    state: { ...now.state, plugins: rows(now.state.plugins, state.plugins, (row) => row.name) },
  };
}

/**
 * The status of a plugin for the holder of a snapshot, given the registry as it is now: removal (undefined) and
 * quarantine count at once, what was installed or activated later is pending.
 */
export function statusIn(snapshot: Snapshot, now: Registry, name: string): Status | undefined {
  const row = now.state.plugins.find((one) => one.name === name);
  if (row === undefined || !now.lock.plugins.some((one) => one.name === name)) return undefined;
  const status = statusOf(row);
  if (status === "quarantined") return status;
  if (snapshot.active.get(name) === row.installed_at) {
    return status === "needs_configuration" ? status : "active";
  }
  return status === "active" ? "installed_pending_restart" : status;
}

function agrees(lock: LockRow | undefined, variants: readonly VariantRow[]): boolean {
  if (lock === undefined) return variants.length === 0;
  const declared = lock.plugin.tools.filter((tool) => tool.execution_support !== "schema_only");
  const ids = new Set(variants.map((row) => row.variant_id));
  return (
    declared.every((tool) => ids.has(tool.variant_id)) &&
    variants.every((row) => row.binding.plugin_name === lock.name)
  );
}
