import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Keychain } from "../../src/host/host.ts";
import { createHost } from "../../src/host/real.ts";
import { createKeychainStore } from "../../src/secrets/keychain-store.ts";
import { secretStoreContract } from "../contract/secret-stores.ts";
import { createScratch, gumBinary } from "../script/scratch.ts";
import { missingPrograms, type SecretService, startSecretService } from "./secret-service.ts";

const missing = missingPrograms();
const client = resolve("test/probes/keychain-client.ts");
const runtimes = {
  "Bun.secrets": [process.execPath, client],
  "secret-tool under Deno": [resolve("node_modules/.bin/deno"), "run", "-A", client],
};
const session = "good-session-kept-4711";
const apiKey = "good-key-kept-0815";

// In CI they are there, or this fails.
const absent = missing.length > 0 && !process.env.CI;
const why = absent ? ` (skipped: not installed here: ${missing.join(", ")})` : "";

test.skipIf(absent)(`T16 T19 the programs for a real Secret Service are installed${why}`, () => {
  expect(missing).toEqual([]);
});
if (!absent) {
  for (const [name, argv] of Object.entries(runtimes)) {
    describe(`the Secret Service through ${name}`, () => contractOver(name, argv));
  }
  describe("gum with a real Secret Service", story);
}

/** The contract over one service; each test begins with an empty, unlocked keyring. */
function contractOver(name: string, argv: readonly string[]): void {
  let service: SecretService | undefined;
  beforeAll(async () => {
    service = await startSecretService();
  });
  afterAll(() => service?.stop());
  secretStoreContract(`the Secret Service through ${name}`, async () => {
    if (service === undefined) throw new Error("There is no service");
    const { env, lock, unlock } = service;
    // libsecret knows its service by a name that ends with it, so that each service gets a client of its own.
    let asked = startClient(argv, env);
    const used = new Set<string>();
    const keychain: Keychain = {
      name: "Secret Service",
      absence: undefined,
      get: (where, account) => asked.keychain.get(where, account),
      set: (where, account, value) => {
        used.add(account);
        return asked.keychain.set(where, account, value);
      },
      delete: (where, account) => asked.keychain.delete(where, account),
    };
    return {
      open: () => createKeychainStore({ keychain, clock: createHost().clock }),
      lock,
      async unlock() {
        await asked.close();
        await unlock();
        asked = startClient(argv, env);
      },
      async close() {
        for (const account of used) await asked.keychain.delete("gum", account);
        await asked.close();
      },
    };
  });
}

/** A process of the runtime that answers for its keychain. */
function startClient(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const child = Bun.spawn([...argv], {
    env: { ...env, DENO_NO_UPDATE_CHECK: "1" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    timeout: 50_000,
    killSignal: "SIGKILL",
  });
  const answers = linesOf(child.stdout);
  const first = answers.next();
  const ask = async (...words: string[]): Promise<unknown> => {
    await first;
    child.stdin.write(`${JSON.stringify(words)}\n`);
    const { value } = await answers.next();
    const { answer, error } = JSON.parse(value ?? '{"error":"the client has ended"}');
    if (error !== undefined) throw new Error(error);
    return answer ?? undefined;
  };
  const keychain: Keychain = {
    name: "Secret Service",
    absence: undefined,
    get: async (service, account) => text(await ask("get", service, account)),
    set: async (service, account, value) => void (await ask("set", service, account, value)),
    delete: async (service, account) => (await ask("delete", service, account)) === true,
  };
  return {
    keychain,
    async close() {
      child.stdin.end();
      await child.exited;
    },
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const block of stream) {
    const lines = (rest + decoder.decode(block, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}

/** The compiled gum from install to purge. */
function story(): void {
  test("T15 T16 T19 setup keeps credentials there, calls read them, a lock is told, and a purge forgets them", async () => {
    const service = await startSecretService();
    const scratch = createScratch();
    const bus = { DBUS_SESSION_BUS_ADDRESS: service.env.DBUS_SESSION_BUS_ADDRESS ?? "" };
    const gum = async (words: readonly string[], env: Record<string, string> = {}) => {
      const child = Bun.spawn([gumBinary, ...words], {
        cwd: scratch.work,
        env: { ...scratch.env, ...bus, ...env },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        timeout: 30_000,
        killSignal: "SIGKILL",
      });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { out, err, code };
    };
    const kept = async (alias: string): Promise<string | undefined> => {
      const { keychain, close } = startClient(runtimes["Bun.secrets"], service.env);
      try {
        return await keychain.get("gum", `gum.plugin.default.two-keys.${alias}`);
      } finally {
        await close();
      }
    };
    try {
      cpSync("test/plugins/two-keys", join(scratch.work, "two-keys"), { recursive: true });
      expect((await gum(["plugin", "install", "two-keys", "--yes", "--json"])).out).toContain(
        "needs_configuration",
      );
      const values = { TWO_KEYS_SESSION: session, TWO_KEYS_API_KEY: apiKey };
      const set = await gum(["plugin", "setup", "two-keys", "--from-env", "--json"], values);
      expect(JSON.parse(set.out)).toMatchObject({
        ok: true,
        status: "active",
        stored: ["session", "api_key"],
        store: { name: "keychain", state: "open", reason: null },
      });
      expect([await kept("session"), await kept("api_key")]).toEqual([session, apiKey]);
      const call = ["plugin", "run", "two-keys", "whoami", "--json"];
      expect((await gum(call)).out).toContain('"user":"ada"');
      await service.lock();
      const locked = await gum(call);
      expect([locked.code, JSON.parse(locked.out).error_code]).toEqual([7, "KEYCHAIN_UNAVAILABLE"]);
      expect((await gum(["plugin", "remove", "two-keys", "--purge", "--yes"])).code).toBe(7);
      await service.unlock();
      expect((await gum(call)).code).toBe(0);
      const removed = await gum(["plugin", "remove", "two-keys", "--purge", "--yes", "--json"]);
      expect(JSON.parse(removed.out).purged).toEqual({ credentials: ["session", "api_key"], data: true });
      expect([await kept("session"), await kept("api_key")]).toEqual([undefined, undefined]);
    } finally {
      scratch.remove();
      await service.stop();
    }
  }, 60_000);
}
