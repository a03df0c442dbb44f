import type { GenerationChange } from "../model/generation.ts";
import type { LockRow, NamespaceRow, Registry, VariantRow } from "../model/registry.ts";

/** What differs between two registries in lock and catalog; nothing when only state does. */
export function summarizeChanges(before: Registry, after: Registry): GenerationChange[] {
  return [
    ...pluginChanges(before, after),
    ...namespaceChanges(before.lock.namespaces, after.lock.namespaces),
  ];
}

function pluginChanges(before: Registry, after: Registry): GenerationChange[] {
  const old = new Map(before.lock.plugins.map((row) => [row.name, row]));
  const now = new Map(after.lock.plugins.map((row) => [row.name, row]));
  const catalogChanged = changedOwners(before.catalog.variants, after.catalog.variants);
  const changes: GenerationChange[] = [];
  for (const name of [...new Set([...old.keys(), ...now.keys(), ...catalogChanged])].sort()) {
    const change = pluginChange(old.get(name), now.get(name), catalogChanged.has(name));
    if (change !== undefined) changes.push({ name, ...change });
  }
  return changes;
}

function pluginChange(
  old: LockRow | undefined,
  now: LockRow | undefined,
  catalogChanged: boolean,
): Omit<GenerationChange, "name"> | undefined {
  const from = old?.version ?? null;
  const to = now?.version ?? null;
  if (old === undefined && now !== undefined) return { what: "plugin_added", from, to };
  if (old !== undefined && now === undefined) return { what: "plugin_removed", from, to };
  if (old?.install_root !== now?.install_root) return { what: "plugin_upgraded", from, to };
  return catalogChanged || !isSame(old, now) ? { what: "plugin_changed", from, to } : undefined;
}

function namespaceChanges(
  before: readonly NamespaceRow[],
  after: readonly NamespaceRow[],
): GenerationChange[] {
  const old = new Map(before.map((row) => [row.prefix, row.namespace_owner]));
  const changes: GenerationChange[] = [];
  for (const { prefix: name, namespace_owner: owner } of after) {
    const from = old.get(name) || null;
    const to = owner || null;
    if (from === to) continue;
    const what =
      from === null ? "namespace_claimed" : to === null ? "namespace_released" : "namespace_transferred";
    changes.push({ what, name, from, to });
  }
  return changes;
}

/** Plugins of which at least one variant was added, removed or changed. */
function changedOwners(before: readonly VariantRow[], after: readonly VariantRow[]): Set<string> {
  const old = new Map(before.map((row) => [row.variant_id, row]));
  const owners = new Set<string>();
  for (const row of after) {
    const was = old.get(row.variant_id);
    old.delete(row.variant_id);
    if (!isSame(was, row)) owners.add(row.owner_plugin);
  }
  for (const row of old.values()) owners.add(row.owner_plugin);
  return owners;
}

/** Rows that a change left alone are shared, so most comparisons end at the first test. */
function isSame(a: object | undefined, b: object | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
