// Who owns which name in a profile. A claim covers op prefixes and plugin ids alike, and outlives the plugin.
import { GumError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Claim } from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import type { Consent, NamespaceRow, Registry } from "../model/registry.ts";
import { isReservedName } from "../model/reserved-names.ts";

export interface ClaimOptions {
  readonly isDev: boolean;
  /** The user said --dev-allow-namespace-conflict. */
  readonly overrideConflict: boolean;
}

/** The right to the plugin's id and prefix, or the reason why there is none (T1, T2, T3, T32). */
export function claimNames(
  registry: Registry,
  plugin: Pick<Plugin, "id" | "prefix" | "namespace_owner">,
  options: ClaimOptions,
): Claim {
  const names = [...new Set([plugin.prefix, plugin.id])];
  const owner = plugin.namespace_owner;
  if (owner === "") {
    throw new GumError("PLUGIN_NAMESPACE_CONFLICT", `The plugin "${plugin.id}" names no namespace_owner.`);
  }
  if (options.overrideConflict && !options.isDev) {
    throw new GumError("POLICY_DENIED", "Only a dev profile may pass over a namespace conflict.");
  }
  for (const name of names) {
    if (!isReservedName(name)) continue;
    throw new GumError(
      "PLUGIN_NAMESPACE_CONFLICT",
      `The name "${name}" is reserved and cannot be claimed by ${owner}.`,
      {
        hint: "choose another plugin id or prefix",
        details: { name, owner, reserved: true },
      },
    );
  }
  const foreign = names.flatMap((name) => foreignOwner(registry, name, plugin.id, owner));
  const [first] = foreign;
  if (first !== undefined && !options.overrideConflict) {
    throw new GumError(
      "PLUGIN_NAMESPACE_CONFLICT",
      `The name "${first.name}" belongs to ${first.owner}, not to ${owner}.`,
      { details: { name: first.name, owner: first.owner, claimed_by: owner } },
    );
  }
  return { names, owner, overridden: foreign.map(({ name }) => name) };
}

/** The namespaces with a claim taken; names of another owner stay as they are. */
export function withClaim(
  registry: Registry,
  claim: Claim,
  now: string,
  consent: Consent | null,
): NamespaceRow[] {
  const owned = { namespace_owner: claim.owner, claimed_at: now, consent };
  const rows = registry.lock.namespaces.map((row) => {
    if (!claim.names.includes(row.prefix)) return row;
    if (row.namespace_owner === "") return { ...row, ...owned };
    return row.namespace_owner === claim.owner && consent !== null ? { ...row, consent } : row;
  });
  const known = new Set(rows.map((row) => row.prefix));
  const fresh = claim.names
    .filter((name) => !known.has(name) && !claim.overridden.includes(name))
    .map((prefix) => ({ prefix, transfer_history: [], ...owned }));
  return [...rows, ...fresh];
}

/** Gives a claimed prefix to another owner, who must be asked for consent again (T4). */
export function transferNamespace(
  registry: Registry,
  prefix: string,
  newOwner: string,
  now: string,
): Registry {
  const row = claimedRow(registry, prefix);
  if (!/^[A-Za-z0-9@][A-Za-z0-9@:._/-]{0,199}$/.test(newOwner)) {
    throw new GumError("USAGE", `"${newOwner.slice(0, 80)}" cannot be the owner of a namespace.`);
  }
  if (row.namespace_owner === newOwner) return registry;
  const moved = { from: row.namespace_owner, to: newOwner, at: now };
  return withNamespaces(registry, (one) =>
    one.prefix === prefix
      ? {
          ...one,
          namespace_owner: newOwner,
          transfer_history: [...one.transfer_history, moved],
          consent: null,
        }
      : one,
  );
}

/**
 * Frees a claimed prefix: anybody may claim it next. The row stays, without an owner, so that its history does too (T4).
 * A prefix of an installed plugin cannot be freed.
 */
export function releaseNamespace(registry: Registry, prefix: string, now: string): Registry {
  const row = claimedRow(registry, prefix);
  const user = registry.lock.plugins.find((plugin) => plugin.prefix === prefix || plugin.name === prefix);
  if (user !== undefined) {
    throw new GumError(
      "POLICY_DENIED",
      `The namespace "${prefix}" is in use by the installed plugin "${user.name}".`,
      {
        hint: `run \`gum plugin remove ${user.name}\` first`,
      },
    );
  }
  const freed = { from: row.namespace_owner, to: null, at: now };
  return withNamespaces(registry, (one) =>
    one.prefix === prefix
      ? { ...one, namespace_owner: "", transfer_history: [...one.transfer_history, freed], consent: null }
      : one,
  );
}

function claimedRow(registry: Registry, prefix: string): NamespaceRow {
  const row = registry.lock.namespaces.find((one) => one.prefix === prefix && one.namespace_owner !== "");
  if (row !== undefined) return row;
  const names = registry.lock.namespaces.filter((one) => one.namespace_owner !== "").map((one) => one.prefix);
  throw new GumError(
    "PLUGIN_NOT_FOUND",
    `No namespace "${prefix}" is claimed in this profile${didYouMean(prefix, names) || "."}`,
  );
}

/** A name is foreign when another owner has claimed it, or when another owner's plugin uses it all the same. */
function foreignOwner(
  registry: Registry,
  name: string,
  pluginId: string,
  owner: string,
): { name: string; owner: string }[] {
  const claimed = registry.lock.namespaces.find((row) => row.prefix === name)?.namespace_owner ?? "";
  if (claimed !== "") return claimed === owner ? [] : [{ name, owner: claimed }];
  const user = registry.lock.plugins.find(
    (row) =>
      (row.prefix === name || row.name === name) && row.name !== pluginId && row.namespace_owner !== owner,
  );
  return user === undefined ? [] : [{ name, owner: user.namespace_owner }];
}

function withNamespaces(registry: Registry, change: (row: NamespaceRow) => NamespaceRow): Registry {
  return {
    catalog: registry.catalog,
    lock: { ...registry.lock, namespaces: registry.lock.namespaces.map(change) },
    state: registry.state,
  };
}
