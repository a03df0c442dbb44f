import type { Host } from "../host/host.ts";
import { credentialNeeds } from "../model/credentials.ts";
import type { Plugin } from "../model/plugin.ts";
import type { Profile } from "../model/profile.ts";
import { openStore } from "../secrets/open-store.ts";
import { secretKey, storeError } from "../secrets/store.ts";

/** Throws KEYCHAIN_UNAVAILABLE when credentials of the plugin may be kept where nobody can look now. */
export async function mayForget(host: Host, profile: Profile, plugin: Plugin): Promise<void> {
  if (credentialNeeds(plugin).length === 0) return;
  const store = openStore(host, profile);
  const state = await store.state();
  // A machine without a keychain keeps nothing in it.
  if (state.kind === "locked" || (state.kind === "unavailable" && store.name === "file")) {
    throw storeError(store, state);
  }
}

/** Forgets whatever the profile keeps of the plugin's credentials; their aliases. */
export async function forgetCredentials(host: Host, profile: Profile, plugin: Plugin): Promise<string[]> {
  const needs = credentialNeeds(plugin).filter(({ from }) => from !== "command");
  const store = openStore(host, profile);
  if (needs.length === 0 || !store.keeps) return [];
  await mayForget(host, profile, plugin);
  if ((await store.state()).kind !== "open") return [];
  const forgotten: string[] = [];
  for (const { alias } of needs) {
    if (await store.delete(secretKey(profile.name, plugin.id, alias))) forgotten.push(alias);
  }
  return forgotten;
}
