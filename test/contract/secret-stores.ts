// What every store of credentials must do. Run over each implementation by test/contract/secret-stores.test.ts and by
// the tests that have a real keychain.
import { expect, test } from "bun:test";
import type { SecretStore } from "../../src/secrets/store.ts";

export interface StoreUnderTest {
  /** A store as a new process would open it. */
  open(): Promise<SecretStore> | SecretStore;
  /** Makes it unreadable without emptying it; absent where that cannot happen. */
  lock?(): Promise<void> | void;
  unlock?(): Promise<void> | void;
  close?(): Promise<void> | void;
}

/** Deriving a key of a passphrase is slow on purpose. */
const deadlineMs = 60_000;

const key = (alias: string): string => `gum.plugin.default.hello.${alias}`;
const values = [
  "plain",
  " spaces around ",
  "line one\nline two\n",
  "ümläut ✓ 🔑 \u0000".replace("\u0000", ""),
  `quotes " ' \\ $HOME \`id\``,
  "x".repeat(8192),
];

/** Registers the suite for one kind of store. */
export function secretStoreContract(
  name: string,
  make: () => Promise<StoreUnderTest> | StoreUnderTest,
): void {
  const within = async (work: (under: StoreUnderTest) => Promise<void>): Promise<void> => {
    const under = await make();
    try {
      await work(under);
    } finally {
      await under.close?.();
    }
  };

  test(
    `T15 ${name}: what was never kept is absent, and forgetting it forgets nothing`,
    () =>
      within(async ({ open }) => {
        const store = await open();
        expect(await store.state()).toEqual({ kind: "open" });
        expect(await store.get(key("token"))).toEqual({ kind: "absent" });
        expect(await store.delete(key("token"))).toBe(false);
      }),
    deadlineMs,
  );

  test(
    `T15 ${name}: every text comes back as it was, also for the next process`,
    () =>
      within(async ({ open }) => {
        const store = await open();
        for (const value of values) {
          await store.set(key("token"), value);
          expect(await store.get(key("token"))).toEqual({ kind: "found", value });
          expect(await (await open()).get(key("token"))).toEqual({ kind: "found", value });
        }
      }),
    deadlineMs,
  );

  test(
    `T15 ${name}: keys are kept apart, also those of other profiles and plugins`,
    () =>
      within(async ({ open }) => {
        const store = await open();
        const keys = [key("a"), key("b"), "gum.plugin.dev.hello.a", "gum.plugin.default.other.a"];
        for (const [index, one] of keys.entries()) await store.set(one, `value ${index}`);
        await store.set(key("a"), "changed");
        expect(await store.delete(key("b"))).toBe(true);
        expect(await Promise.all(keys.map((one) => store.get(one)))).toEqual([
          { kind: "found", value: "changed" },
          { kind: "absent" },
          { kind: "found", value: "value 2" },
          { kind: "found", value: "value 3" },
        ]);
      }),
    deadlineMs,
  );

  test(
    `T15 ${name}: a value that no plugin could get is refused and changes nothing`,
    () =>
      within(async ({ open }) => {
        const store = await open();
        await store.set(key("token"), "kept");
        for (const value of ["", "nul\0inside", "y".repeat(8193), "lone \ud800 half"]) {
          expect(store.set(key("token"), value)).rejects.toMatchObject({ code: "KEYCHAIN_UNAVAILABLE" });
        }
        expect(await store.get(key("token"))).toEqual({ kind: "found", value: "kept" });
      }),
    deadlineMs,
  );

  test(
    `T19 ${name}: a store that is locked says so, and never that nothing is there`,
    () =>
      within(async ({ open, lock, unlock }) => {
        if (lock === undefined || unlock === undefined) return expect(lock).toBeUndefined();
        await (await open()).set(key("token"), "kept");
        await lock();
        const store = await open();
        expect((await store.state()).kind).toBe("locked");
        expect((await store.get(key("token"))).kind).toBe("locked");
        expect((await store.get(key("never"))).kind).toBe("locked");
        expect(store.set(key("token"), "other")).rejects.toMatchObject({ code: "KEYCHAIN_UNAVAILABLE" });
        expect(store.delete(key("token"))).rejects.toMatchObject({ code: "KEYCHAIN_UNAVAILABLE" });
        await unlock();
        expect(await (await open()).get(key("token"))).toEqual({ kind: "found", value: "kept" });
      }),
    deadlineMs,
  );
}
