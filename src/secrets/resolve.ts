import {
  type CredentialNeed,
  type Credentials,
  credentialNeeds,
  type FoundCredential,
  noCredentials,
} from "../model/credentials.ts";
import type { Plugin } from "../model/plugin.ts";
import { createEnvStore } from "./env-store.ts";
import { type SecretStore, type StoreFault, secretKey, storeError, valueFault } from "./store.ts";

/** Where values may come from. */
export interface CredentialSources {
  readonly profile: string;
  /** Where the profile keeps credentials. */
  readonly store: SecretStore;
  /** The user's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A short-lived Google access token, or why there is none, as a sentence. */
  token(): Promise<{ readonly value: string } | { readonly fault: string }>;
}

/** Finds every value that the plugin needs: what the profile keeps, else what the user's environment has (T15). */
export async function resolveCredentials(plugin: Plugin, sources: CredentialSources): Promise<Credentials> {
  const needs = credentialNeeds(plugin);
  if (needs.length === 0) return noCredentials;
  const look = createLook(plugin, needs, sources);
  const found = new Map<string, FoundCredential>();
  for (const need of needs) {
    const one = need.from === "command" ? await look.run() : await look.find(need);
    if (one !== undefined) found.set(need.alias, one);
  }
  const reached = needs.flatMap(({ env, alias }) => {
    const value = found.get(alias)?.value;
    return env === null || value === undefined ? [] : [[env, value] as const];
  });
  return {
    env: Object.fromEntries(reached),
    found,
    missing: needs.filter(({ alias, required }) => required && !found.has(alias)),
    ...look.said(),
  };
}

interface Look {
  find(need: CredentialNeed): Promise<FoundCredential | undefined>;
  run(): Promise<FoundCredential | undefined>;
  said(): Pick<Credentials, "locked" | "faults">;
}

function createLook(plugin: Plugin, needs: readonly CredentialNeed[], sources: CredentialSources): Look {
  const keyOf = (alias: string): string => secretKey(sources.profile, plugin.id, alias);
  const variables = new Map(needs.map(({ alias, env }) => [keyOf(alias), env]));
  const order = [sources.store, createEnvStore(sources.env, (key) => variables.get(key))];
  const faults: string[] = [];
  let down: StoreFault | undefined;
  return {
    async find({ alias, from }) {
      for (const store of order) {
        if (down !== undefined && store.keeps) continue; // it has said so once
        const answer = await store.get(keyOf(alias));
        if (answer.kind === "found") {
          if (valueFault(answer.value) !== undefined) continue;
          return { value: answer.value, origin: store.name, secret: from === "secret" };
        }
        if (answer.kind === "absent") continue;
        down = answer;
        faults.push(storeError(store, answer).message);
      }
      return undefined;
    },
    async run() {
      const token = await sources.token();
      if ("value" in token) return { value: token.value, origin: "command", secret: true };
      faults.push(token.fault);
      return undefined;
    },
    said: () => ({ locked: down?.kind === "locked", faults }),
  };
}
