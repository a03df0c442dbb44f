import type { Keychain } from "./host.ts";

/** What of Bun is used here; its own types are there for tests and tools alone. */
interface BunSecrets {
  get(item: { service: string; name: string }): Promise<string | null>;
  set(item: { service: string; name: string; value: string }): Promise<void>;
  delete(item: { service: string; name: string }): Promise<boolean>;
}

/** Secret Service, Keychain or Credential Manager, through Bun. */
export const bunKeychain: Pick<Keychain, "get" | "set" | "delete"> = {
  get: async (service, account) => (await secrets().get({ service, name: account })) ?? undefined,
  set: async (service, account, value) => secrets().set({ service, name: account, value }),
  delete: async (service, account) => secrets().delete({ service, name: account }),
};

function secrets(): BunSecrets {
  return Bun.secrets;
}
