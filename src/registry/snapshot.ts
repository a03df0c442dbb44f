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

/**
 * The status of a plugin for the holder of a snapshot, given the registry as it is now: removal (undefined) and
 * quarantine count at once, what was installed or activated later is pending.
 */
export function statusIn(snapshot: Snapshot, now: Registry, name: string): Status | undefined {
  const row = now.state.plugins.find((one) => one.name === name);
  if (row === undefined || !now.lock.plugins.some((one) => one.name === name)) return undefined;
  const status = statusOf(row);
  if (status === "quarantined") return status;
  if (snapshot.active.has(name)) return status === "needs_configuration" ? status : "active";
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
