import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { GenerationChange } from "../model/generation.ts";
import { commonGrants, isNoGrant, withoutGrants } from "../model/grants.ts";
import type { Grants, LockRow, Registry, StateRow } from "../model/registry.ts";
import type { RegistryChange, RollbackTarget } from "../model/transaction.ts";
import { type RegistryHome, registryIo } from "./folders.ts";
import {
  type GenerationName,
  listGenerations,
  readCurrent,
  readGeneration,
  readRecord,
} from "./generation-folders.ts";
import { type Published, type PublishOptions, publish } from "./generations.ts";
import { claimNames } from "./namespaces.ts";
import { newStateRow } from "./rows.ts";
import { checkSeal, sealFileOf } from "./seal.ts";

/** One line of `gum plugin history`. */
export interface HistoryLine {
  readonly generation: number;
  readonly txid: string;
  readonly at: string;
  readonly command: string;
  readonly changes: readonly GenerationChange[];
  /** Whether lock and catalog are still as this generation left them. */
  readonly current: boolean;
}

/** The kept generations in which lock or catalog changed, newest first (R10). */
export async function history(host: Host, home: RegistryHome): Promise<HistoryLine[]> {
  return registryIo(home, "read", async () => {
    const lines: HistoryLine[] = [];
    for (const { folder, number, txid } of await publishedGenerations(host, home)) {
      const record = await readRecord(host.files, home, folder);
      if (record === undefined || !record.content_changed) continue;
      const { at, command, changes } = record;
      lines.push({ generation: number, txid, at, command, changes, current: lines.length === 0 });
    }
    return lines;
  });
}

/**
 * Publishes a new generation with the lock and catalog of an older one, after proving that its install roots are
 * intact. Without a number: the one before the last change. State is never restored (R10).
 */
export async function rollback(
  host: Host,
  home: RegistryHome & { readonly isDev: boolean },
  options: PublishOptions & { readonly to?: number | undefined },
): Promise<Published & { readonly to: number }> {
  const { to, registry } = await findTarget(host, home, options.to);
  for (const row of registry.lock.plugins) await requireIntact(host, row);
  const published = await publish(host, home, rollbackChange(registry, home), options);
  return { ...published, to };
}

/** The change that a rollback makes: plugins of `target`, claims and state of now, and no grant that was taken back. */
export function rollbackChange(target: Registry, profile: { readonly isDev: boolean }): RegistryChange {
  return (current, { now }) => {
    for (const row of target.lock.plugins) {
      const plugin = { id: row.name, prefix: row.prefix, namespace_owner: row.namespace_owner };
      // On a dev profile a plugin may have been installed over another's claim; going back to it is no new conflict.
      claimNames(current, plugin, { isDev: profile.isDev, overrideConflict: profile.isDev });
    }
    const states = new Map(current.state.plugins.map((row) => [row.name, row]));
    return {
      catalog: { ...current.catalog, variants: target.catalog.variants },
      lock: { ...current.lock, plugins: target.lock.plugins.map((row) => withinGrants(current, row)) },
      state: {
        ...current.state,
        plugins: target.lock.plugins.map((row) => states.get(row.name) ?? returning(target, row, now)),
      },
    };
  };
}

/** The grants that a rollback would not bring back, by plugin, because the operator has taken them back since (T35). */
export function withheldGrants(
  current: Registry,
  target: Registry,
): readonly { readonly plugin: string; readonly grants: Grants }[] {
  return target.lock.plugins.flatMap((row) => {
    const grants = withoutGrants(row.granted_capabilities, withinGrants(current, row).granted_capabilities);
    return isNoGrant(grants) ? [] : [{ plugin: row.name, grants }];
  });
}

/** The row with what is still granted: by the row of now, or for a plugin that was removed by the consent that stayed. */
function withinGrants({ lock }: Registry, row: LockRow): LockRow {
  const now = lock.plugins.find(({ name }) => name === row.name);
  const claim = lock.namespaces.find(({ prefix }) => prefix === row.name);
  const consent = claim?.namespace_owner === row.namespace_owner ? claim.consent : null;
  const granted = now?.granted_capabilities ?? consent?.grants ?? noGrants;
  return { ...row, granted_capabilities: commonGrants(row.granted_capabilities, granted) };
}

const noGrants: Grants = { read: [], write: [], shm: false, capabilities: [] };

/** A plugin that comes back: what stood against it when it was last seen still does, everything else begins anew. */
function returning(target: Registry, row: LockRow, now: string): StateRow {
  const last = target.state.plugins.find((one) => one.name === row.name);
  if (last === undefined) return newStateRow(row.name, now, { needsConfiguration: false });
  const fresh = newStateRow(row.name, last.installed_at, { needsConfiguration: last.needs_configuration });
  return last.quarantined ? { ...last, activated_at: null } : fresh;
}

/** The registry of the wanted generation; without a number, of the one before the last change. */
export async function findTarget(
  host: Host,
  home: RegistryHome,
  wanted: number | undefined,
): Promise<RollbackTarget> {
  const lines = await history(host, home);
  const to = wanted ?? lines[1]?.generation;
  if (to === undefined) {
    throw new GumError("USAGE", `The profile "${home.name}" has no earlier generation to go back to.`);
  }
  const name = (await publishedGenerations(host, home)).find(({ number }) => number === to);
  const generation = name === undefined ? undefined : await readGeneration(host.files, home, name);
  if (generation !== undefined && generation.altered.length > 0) {
    throw new GumError("REGISTRY_IO", `Generation ${to} of profile "${home.name}" is not as gum wrote it.`, {
      hint: "choose another one; see `gum plugin history`",
      details: { generation: to, altered: [...generation.altered] },
    });
  }
  if (generation !== undefined) return { to, registry: generation.registry };
  throw new GumError("USAGE", `The profile "${home.name}" has no complete generation ${to}.`, {
    hint: `choose one of ${lines.map((line) => line.generation).join(", ") || "none"}; see \`gum plugin history\``,
    details: { generations: lines.map((line) => line.generation) },
  });
}

async function publishedGenerations(host: Host, home: RegistryHome): Promise<GenerationName[]> {
  const current = await readCurrent(host.files, home);
  if (current === undefined || current === "dangling") return [];
  const names = await listGenerations(host.files, home);
  return names.filter(({ number, folder }) => number < current.number || folder === current.folder);
}

/** Refuses an install root that is gone or changed. */
export async function requireIntact(host: Host, row: LockRow): Promise<void> {
  if (row.linked) return;
  await checkSeal(host, {
    plugin: row.name,
    root: row.install_root,
    sealFile: sealFileOf(row.install_root),
    treeSha256: row.install_tree_sha256,
  });
}
