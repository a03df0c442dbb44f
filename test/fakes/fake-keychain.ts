import type { Keychain } from "../../src/host/host.ts";

export interface FakeKeychain extends Keychain {
  /** What it holds, by account; the service is always gum's. */
  readonly items: Map<string, string>;
  /** A locked one looks empty and takes nothing, as the Secret Service does. */
  locked: boolean;
  /** Every call, such as `get gum.plugin.default.hello.token`. */
  readonly calls: string[];
}

/** A keychain in memory that can be locked, or missing. */
export function createFakeKeychain(options: { absence?: string } = {}): FakeKeychain {
  const items = new Map<string, string>();
  const calls: string[] = [];
  const chain: FakeKeychain = {
    name: "fake keychain",
    absence: options.absence,
    items,
    locked: false,
    calls,
    async get(_, account) {
      calls.push(`get ${account}`);
      return chain.locked ? undefined : items.get(account);
    },
    async set(_, account, value) {
      calls.push(`set ${account}`);
      if (chain.locked) throw new Error("Cannot create an item in a locked collection (code: 2)");
      items.set(account, value);
    },
    async delete(_, account) {
      calls.push(`delete ${account}`);
      return chain.locked ? false : items.delete(account);
    },
  };
  return chain;
}
