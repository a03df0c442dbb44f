import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { createHost } from "../../src/host/real.ts";
import type { CredentialSettings } from "../../src/model/credentials.ts";
import { createEnvStore } from "../../src/secrets/env-store.ts";
import { keySource } from "../../src/secrets/file-key.ts";
import { createFileStore } from "../../src/secrets/file-store.ts";
import { createKeychainStore } from "../../src/secrets/keychain-store.ts";
import type { SecretStore } from "../../src/secrets/store.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { createFakeKeychain } from "../fakes/fake-keychain.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { type StoreUnderTest, secretStoreContract } from "./secret-stores.ts";

describe("the keychain store", () => {
  secretStoreContract("the keychain store over a fake keychain", (): StoreUnderTest => {
    const keychain = createFakeKeychain();
    return {
      open: () => createKeychainStore({ keychain, clock: createHost().clock }),
      lock() {
        keychain.locked = true;
      },
      unlock() {
        keychain.locked = false;
      },
    };
  });

  test("T19 where no keychain runs it is unavailable with the reason, and is not asked", async () => {
    const keychain = createFakeKeychain({ absence: "no session bus (D-Bus) runs here" });
    const store = createKeychainStore({ keychain, clock: createHost().clock });
    const unavailable = { kind: "unavailable", reason: "no session bus (D-Bus) runs here" } as const;
    expect([await store.state(), await store.get("k")]).toEqual([unavailable, unavailable]);
    expect(keychain.calls).toEqual([]);
  });

  test("T19 a keychain that never answers is given up, and left alone for a minute", async () => {
    const host = createFakeHost({ keychain: createFakeKeychain() });
    let asked = 0;
    const keychain = {
      ...host.keychain,
      get: () => {
        asked++;
        return new Promise<never>(() => undefined);
      },
    };
    const store = createKeychainStore({ keychain, clock: host.clock });
    const first = store.get("k");
    host.clock.advance(20_000);
    const silent = { kind: "unavailable", reason: "it does not answer" } as const;
    expect(await first).toEqual(silent);
    expect(await store.get("k")).toEqual(silent);
    expect(asked).toBe(1);
    host.clock.advance(60_000);
    const later = store.get("k");
    host.clock.advance(20_000);
    expect([await later, asked]).toEqual([silent, 2]);
  });

  test("T15 a keychain that was unlocked by the very question is read again", async () => {
    const keychain = createFakeKeychain();
    keychain.items.set("k", "kept");
    keychain.locked = true;
    const prompting = {
      ...keychain,
      get: keychain.get,
      set: async (service: string, account: string, value: string) => {
        keychain.locked = false; // a person typed the password of the keychain
        await keychain.set(service, account, value);
      },
    };
    const store = createKeychainStore({ keychain: prompting, clock: createHost().clock });
    expect(await store.get("k")).toEqual({ kind: "found", value: "kept" });
  });
});

interface FileStores extends StoreUnderTest {
  readonly folder: string;
  open(settings?: Partial<CredentialSettings>, host?: Host): SecretStore;
  close(): void;
}

function fileStores(settings: Partial<CredentialSettings>): FileStores {
  const folder = mkdtempSync(join(tmpdir(), "gum-secrets-"));
  const real = createHost();
  const silent: Host = { ...real, terminal: createFakeTerminal() };
  const base = { backend: "file", keyFile: null, passphrase: null, googleTokenCommand: [] };
  return {
    folder,
    open: (more = {}, host = silent) =>
      createFileStore(
        real.files,
        join(folder, "data/secrets.json"),
        keySource(host, folder, { ...base, ...settings, ...more }),
      ),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

describe("the file store", () => {
  secretStoreContract("the file store with a key file", () => fileStores({ keyFile: "key" }));

  secretStoreContract("the file store with a passphrase", () => {
    const stores = fileStores({});
    let passphrase: string | null = "correct horse";
    return {
      ...stores,
      open: () => stores.open({ passphrase }),
      lock() {
        passphrase = null;
      },
      unlock() {
        passphrase = "correct horse";
      },
    };
  });

  test("T19 the file and its new key are private, and hold nothing that can be read", async () => {
    const stores = fileStores({ keyFile: "key" });
    try {
      await stores.open().set("gum.plugin.default.hello.token", "s3cret-value");
      const path = join(stores.folder, "data/secrets.json");
      const modes = [path, join(stores.folder, "key"), join(stores.folder, "data")].map(
        (one) => statSync(one).mode & 0o777,
      );
      expect(modes).toEqual([0o600, 0o600, 0o700]);
      const text = readFileSync(path, "utf8");
      expect(JSON.parse(text)).toMatchObject({ gum_secrets: 1, kdf: "scrypt", cost: 14 });
      for (const part of ["s3cret", "hello", "token"]) expect(text).not.toContain(part);
    } finally {
      stores.close();
    }
  }, 60_000);

  test("T19 one changed byte anywhere in the file is seen, and the file is never written over", async () => {
    const stores = fileStores({ keyFile: "key" });
    try {
      await stores.open().set("k", "value");
      const path = join(stores.folder, "data/secrets.json");
      const good = readFileSync(path);
      const places = Array.from({ length: good.length }, (_, at) => at).filter(
        (at) => at % 13 === 0 || at > good.length - 4,
      );
      const seen = {
        kind: "unavailable",
        reason: "it was changed, or the key is not the one that it was written with",
      } as const;
      for (const at of places) {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ 1;
        writeFileSync(path, bad);
        expect(await stores.open().get("k")).toEqual(seen);
      }
      expect(stores.open().set("k", "other")).rejects.toMatchObject({ code: "KEYCHAIN_UNAVAILABLE" });
      writeFileSync(path, good);
      expect(await stores.open().get("k")).toEqual({ kind: "found", value: "value" });
    } finally {
      stores.close();
    }
  }, 60_000);

  test("T19 another key does not open it, and a key that others can read is refused", async () => {
    const stores = fileStores({ keyFile: "key" });
    try {
      await stores.open().set("k", "value");
      writeFileSync(join(stores.folder, "other"), "0".repeat(64), { mode: 0o600 });
      expect(await stores.open({ keyFile: "other" }).get("k")).toMatchObject({ kind: "unavailable" });
      expect(await stores.open({ keyFile: "gone" }).get("k")).toEqual({
        kind: "unavailable",
        reason: "its key file is not there",
      });
      chmodSync(join(stores.folder, "key"), 0o640);
      expect(await stores.open().get("k")).toEqual({
        kind: "unavailable",
        reason: "its key file can be read by others: make it 0600",
      });
      chmodSync(join(stores.folder, "key"), 0o600);
      expect(await stores.open().get("k")).toEqual({ kind: "found", value: "value" });
    } finally {
      stores.close();
    }
  }, 60_000);

  test("T19 on a terminal the passphrase is asked for, twice when the file is new, once per process", async () => {
    const stores = fileStores({});
    const at = (...answers: string[]) => {
      const terminal = createFakeTerminal({ interactive: true, answers });
      return { terminal, host: { ...createHost(), terminal } };
    };
    try {
      const torn = at("one", "two");
      expect(stores.open({}, torn.host).set("k", "v")).rejects.toMatchObject({
        message: "The credential file is locked: the two passphrases differ.",
      });
      const first = at("one", "one");
      await stores.open({}, first.host).set("k", "v");
      await stores.open({}, first.host).set("l", "w");
      expect(first.terminal.said.questions).toEqual([
        "Passphrase of the credential file: ",
        "The same passphrase again: ",
      ]);
      const later = at("one");
      expect(await stores.open({}, later.host).get("l")).toEqual({ kind: "found", value: "w" });
      expect(await stores.open({}, at("wrong").host).get("l")).toMatchObject({ kind: "unavailable" });
    } finally {
      stores.close();
    }
  }, 60_000);

  test("T19 processes that write at the same time lose nothing of each other", async () => {
    const stores = fileStores({ keyFile: "key" });
    try {
      await stores.open().set("first", "0");
      await Promise.all(Array.from({ length: 8 }, (_, n) => stores.open().set(`k${n}`, `v${n}`)));
      const found = await Promise.all(Array.from({ length: 8 }, (_, n) => stores.open().get(`k${n}`)));
      expect(found).toEqual(Array.from({ length: 8 }, (_, n) => ({ kind: "found", value: `v${n}` })));
    } finally {
      stores.close();
    }
  }, 60_000);
});

describe("the environment as a store", () => {
  const store = createEnvStore({ TOKEN: "value", EMPTY: "" }, (key) => key.toUpperCase());

  test("T15 it is read by the variable of the key, and an empty variable is no value", async () => {
    expect(await Promise.all(["token", "empty", "other"].map((key) => store.get(key)))).toEqual([
      { kind: "found", value: "value" },
      { kind: "absent" },
      { kind: "absent" },
    ]);
    expect(await store.state()).toEqual({ kind: "open" });
  });

  test("T15 it keeps nothing and forgets nothing", async () => {
    expect(store.keeps).toBe(false);
    expect(store.set("token", "x")).rejects.toMatchObject({ code: "KEYCHAIN_UNAVAILABLE" });
    expect(store.delete("token")).rejects.toMatchObject({ code: "KEYCHAIN_UNAVAILABLE" });
  });
});
