// T35, W18: what the operator grants a plugin beyond its manifest, or takes back, after the install.
import { resolve } from "node:path/posix";
import { asGumError, GumError, isErrno } from "../base/errors.ts";
import { joinGrants, withoutGrants } from "../model/grants.ts";
import type { Grants, LockRow, NamespaceRow, Registry } from "../model/registry.ts";
import { appendAudit } from "../registry/audit.ts";
import { publish } from "../registry/generations.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import type { GrantsAnswer } from "./answers-grants.ts";
import { settleGrants } from "./grants.ts";
import type { Kernel } from "./kernel.ts";

export type GrantChange = "grant" | "revoke";

/** Adds to a plugin's grants or takes from them, as one transaction with a row in the audit log. */
export async function changeGrants(
  kernel: Kernel,
  id: string,
  kind: GrantChange,
  named: Grants,
): Promise<GrantsAnswer> {
  const { host, profile, signal } = kernel;
  const event = `plugin.${kind}`;
  try {
    const settled = kind === "grant" ? await settleGrants(kernel, named) : await oldPaths(kernel, named);
    const { registry, generation, changed } = await publish(
      host,
      profile,
      (current) =>
        withGrants(current, id, (row) => (kind === "grant" ? grant(row, settled) : revoke(row, settled))),
      { command: `plugin ${kind} ${id}`, signal },
    );
    const granted = findPlugin(registry, id).granted_capabilities;
    if (changed) {
      const details = { ...settled };
      await appendAudit(host, profile, {
        event,
        outcome: "ok",
        profile: profile.name,
        plugin: id,
        generation,
        details,
      });
    }
    return { ok: true, plugin: id, changed, granted, generation };
  } catch (thrown) {
    const { code } = asGumError(thrown);
    if (code !== "REGISTRY_IO" && !signal.aborted) {
      const details = { ...named };
      await appendAudit(host, profile, {
        event,
        outcome: "refused",
        profile: profile.name,
        plugin: id,
        code,
        details,
      });
    }
    throw thrown;
  }
}

function grant({ name, granted_capabilities: old, plugin }: LockRow, more: Grants): Grants {
  if (more.capabilities.length > 0 && plugin.shape !== "handshake-plugin") {
    throw new GumError("USAGE", `The plugin "${name}" is no handshake-plugin and has no capabilities.`, {
      hint: "grant it paths with --allow-read and --allow-write",
    });
  }
  return joinGrants(old, more);
}

function revoke({ name, granted_capabilities: old }: LockRow, less: Grants): Grants {
  const missing = [
    ...less.read.filter((path) => !old.read.includes(path)).map((path) => `to read ${path}`),
    ...less.write.filter((path) => !old.write.includes(path)).map((path) => `to write ${path}`),
    ...(less.shm && !old.shm ? ["to use shared memory"] : []),
    ...less.capabilities.filter((one) => !old.capabilities.includes(one)).map((one) => `of "${one}"`),
  ];
  if (missing[0] !== undefined) {
    throw new GumError("USAGE", `The plugin "${name}" has no grant ${missing[0]}.`, {
      hint: `see \`gum plugin info ${name}\``,
      details: { missing },
    });
  }
  return withoutGrants(old, less);
}

function withGrants(registry: Registry, id: string, change: (row: LockRow) => Grants): Registry {
  const row = findPlugin(registry, id);
  const granted = change(row);
  if (JSON.stringify(granted) === JSON.stringify(row.granted_capabilities)) return registry;
  const plugins = registry.lock.plugins.map((one) =>
    one === row ? { ...row, granted_capabilities: granted } : one,
  );
  const namespaces = registry.lock.namespaces.map((one) => consenting(one, row, granted));
  return { ...registry, lock: { ...registry.lock, plugins, namespaces } };
}

/** The consent follows: what was taken back is asked for again by the next install that wants it, what was given is not. */
function consenting(namespace: NamespaceRow, row: LockRow, granted: Grants): NamespaceRow {
  const { consent } = namespace;
  if (consent === null || (namespace.prefix !== row.name && namespace.prefix !== row.prefix))
    return namespace;
  const taken = withoutGrants(row.granted_capabilities, granted);
  const given = withoutGrants(granted, row.granted_capabilities);
  const grants = joinGrants(withoutGrants(consent.grants, taken), given);
  return { ...namespace, consent: { ...consent, grants } };
}

/** Paths as they were granted: real ones, or what is left of them when they are gone. */
async function oldPaths({ host }: Kernel, named: Grants): Promise<Grants> {
  const real = async (path: string): Promise<string> => {
    const whole = resolve(host.machine.cwd, path);
    try {
      return await host.files.realpath(whole);
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return whole;
      throw error;
    }
  };
  const read = await Promise.all(named.read.map(real));
  return { ...named, read, write: await Promise.all(named.write.map(real)) };
}
