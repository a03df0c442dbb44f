import { credentialVariables } from "./credentials.ts";
import type { Plugin } from "./plugin.ts";
import type { Consent, Grants } from "./registry.ts";

export type ConsentScope = Omit<Consent, "at">;

/** What a person has to agree to before this plugin is installed. */
export function wantedConsent(plugin: Plugin, grants: Grants): ConsentScope {
  return {
    network: plugin.network,
    fs_write_dir: plugin.fs_write_dir,
    env: [...plugin.env_allow].sort(),
    credentials: credentialVariables(plugin),
    risk_classes: [...new Set(plugin.tools.map((tool) => tool.risk_class))].sort(),
    grants,
  };
}

/** Whether an earlier consent is at least as wide in every respect. */
export function coversRequest(given: ConsentScope, wanted: ConsentScope): boolean {
  return (
    (given.network || !wanted.network) &&
    given.fs_write_dir === wanted.fs_write_dir &&
    includesAll(given.env, wanted.env) &&
    includesAll(given.credentials, wanted.credentials) &&
    includesAll(given.risk_classes, wanted.risk_classes) &&
    includesAll(given.grants.read, wanted.grants.read) &&
    includesAll(given.grants.write, wanted.grants.write) &&
    includesAll(given.grants.capabilities, wanted.grants.capabilities) &&
    (given.grants.shm || !wanted.grants.shm)
  );
}

function includesAll(given: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((item) => given.includes(item));
}
