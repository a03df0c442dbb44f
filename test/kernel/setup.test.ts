import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askWith } from "../../src/kernel/ask.ts";
import { callTool } from "../../src/kernel/call.ts";
import { openCommandRuntime } from "../../src/kernel/call-runtime.ts";
import { runCanary } from "../../src/kernel/canary.ts";
import { setConfigKey } from "../../src/kernel/config.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { removePlugin } from "../../src/kernel/remove.ts";
import { checkSetup, forgetSetup, setupPlugin } from "../../src/kernel/setup.ts";
import type { CredentialQuestion, SetupRequest } from "../../src/model/setup.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { refusalOf } from "../steps/run-step.ts";
import { installFrom, type Scratch, scratch } from "./scratch.ts";

const session = "good-session-4711/ü";
const apiKey = "good-api-key-0815";
const keyOf = (alias: string): string => `gum.plugin.default.two-keys.${alias}`;
const nothing: SetupRequest = { given: new Map(), fromEnvironment: false };

/** The values that a person types, and the questions they saw. */
function typing(...answers: (string | undefined)[]) {
  const questions: CredentialQuestion[] = [];
  const left = [...answers];
  const ask: SetupRequest["ask"] = async (question) => {
    questions.push(question);
    return left.shift();
  };
  return { request: { ...nothing, ask }, questions };
}

async function installed(home: Scratch): Promise<Kernel> {
  const kernel = await home.kernel();
  await installFrom(kernel, home.plugin("two-keys"));
  return kernel;
}

async function stateOf({ host, profile }: Kernel) {
  const [row] = (await readRegistry(host, profile)).state.plugins;
  return row;
}

const call = (kernel: Kernel, tool: string, args: Record<string, unknown> = {}) =>
  callTool(kernel, { op: `plug.two-keys.${tool}`, args, confirmation: { kind: "flag", yes: false } });

describe("a plugin with two credentials", () => {
  test("T15 C6 without them the install succeeds, the canary is skipped, and needs_configuration stands", async () => {
    using home = scratch();
    const answer = await installFrom(await home.kernel(), home.plugin("two-keys"));
    expect([answer.ok, answer.status]).toEqual([true, "needs_configuration"]);
    expect(answer.steps.find(({ step }) => step === "canary")?.note).toBe(
      "skipped: 2 credentials are missing",
    );
  });

  test("D2 T17 a call answers AUTH_REQUIRED with aliases, hints and the command, and names no variable", async () => {
    using home = scratch();
    const kernel = await installed(home);
    const error = await refusalOf(() => call(kernel, "whoami"));
    expect([error.code, error.message]).toEqual([
      "AUTH_REQUIRED",
      'The plugin "two-keys" needs credentials: "session", "api_key".',
    ]);
    expect(error.info.details).toEqual({
      status: "needs_configuration",
      credentials: [
        {
          alias: "session",
          display_name: "Two keys session",
          setup_hint: "Copy it from the account page; it is what session holds.",
        },
        { alias: "api_key", display_name: "Two keys API key", setup_hint: "Make one under Settings." },
      ],
      setup_command: "gum plugin setup two-keys",
    });
    expect(JSON.stringify([error.message, error.info])).not.toContain("TWO_KEYS");
  });

  test("T16 setup asks by name and hint, keeps the values in the keychain, and its canary makes the plugin active", async () => {
    using home = scratch();
    const kernel = await installed(home);
    const { request, questions } = typing("", session, apiKey);
    const answer = await setupPlugin(kernel, "two-keys", request);
    expect(questions.map(({ alias, secret, found }) => [alias, secret, found])).toEqual([
      ["session", true, null],
      ["session", true, null],
      ["api_key", true, null],
    ]);
    expect(JSON.stringify(questions)).not.toContain("TWO_KEYS");
    expect([answer.ok, answer.status, answer.stored]).toEqual([true, "active", ["session", "api_key"]]);
    expect(answer.canary?.latency_ms).toBeGreaterThanOrEqual(0);
    expect([keyOf("session"), keyOf("api_key")].map((key) => home.keychain.items.get(key))).toEqual([
      session,
      apiKey,
    ]);
    const { payload } = await call(kernel, "whoami");
    expect(payload).toMatchObject({ success: true, data: { user: "ada" } });
  });

  test("T16 a wrong credential quarantines with CANARY_FAILED, is not kept, and the right one brings it back", async () => {
    using home = scratch();
    const kernel = await installed(home);
    const error = await refusalOf(() =>
      setupPlugin(kernel, "two-keys", typing("bad-session-1", apiKey).request),
    );
    expect(error.code).toBe("CANARY_FAILED");
    expect(error.message).toContain("these keys are wrong: [redacted] and [redacted]");
    expect(await stateOf(kernel)).toMatchObject({
      status: "quarantined",
      last_error_code: "CANARY_FAILED",
      needs_configuration: true,
    });
    expect([...home.keychain.items.keys()]).toEqual(["gum.probe"]);
    const quarantined = await refusalOf(() => call(kernel, "whoami"));
    expect(quarantined.code).toBe("PLUGIN_QUARANTINED");
    const answer = await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    expect(answer.status).toBe("active");
    expect((await call(kernel, "whoami")).success).toBe(true);
  });

  test("P13 T16 a failed setup brings back what was kept before, and an aborted one keeps nothing", async () => {
    using home = scratch();
    const kernel = await installed(home);
    await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    await refusalOf(() => setupPlugin(kernel, "two-keys", typing("bad-session-1", "").request));
    expect(home.keychain.items.get(keyOf("session"))).toBe(session);
    await forgetSetup(kernel, "two-keys");
    const ended = await refusalOf(() => setupPlugin(kernel, "two-keys", typing(session, undefined).request));
    expect(ended.code).toBe("AUTH_REQUIRED");
    expect([...home.keychain.items.keys()]).toEqual(["gum.probe"]);
  });

  test("C6 the environment alone does not clear needs_configuration; a live canary with it does", async () => {
    using home = scratch();
    await installed(home);
    const env = { TWO_KEYS_SESSION: session, TWO_KEYS_API_KEY: apiKey };
    const kernel = { ...(await home.kernel()), host: { ...home.host, env: { ...home.host.env, ...env } } };
    expect((await refusalOf(() => call(kernel, "whoami"))).code).toBe("AUTH_REQUIRED");
    expect((await runCanary(kernel, "two-keys", { live: false })).status).toBe("needs_configuration");
    expect((await runCanary(kernel, "two-keys", { live: true })).status).toBe("installed_pending_restart");
    expect((await call(kernel, "whoami")).success).toBe(true);
  });

  test("T15 the keychain comes before the environment, for each credential by itself", async () => {
    using home = scratch({ TWO_KEYS_SESSION: "bad-from-env", TWO_KEYS_API_KEY: apiKey });
    home.keychain.items.set(keyOf("session"), session);
    const answer = await installFrom(await home.kernel(), home.plugin("two-keys"));
    expect(answer.status).toBe("installed_pending_restart");
    const check = await checkSetup(await home.kernel(), "two-keys");
    expect(check.credentials.map(({ alias, found }) => [alias, found])).toEqual([
      ["session", "keychain"],
      ["api_key", "environment"],
    ]);
    const other = await home.kernel({ profile: "other" });
    expect((await installFrom(other, home.plugin("two-keys"))).quarantine?.code).toBe("CANARY_FAILED");
  });

  test("T19 a locked keychain is told apart from missing credentials", async () => {
    using home = scratch();
    const kernel = await installed(home);
    await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    home.keychain.locked = true;
    const error = await refusalOf(() => call(kernel, "whoami"));
    expect([error.code, error.message]).toEqual([
      "KEYCHAIN_UNAVAILABLE",
      'The keychain is locked, so that "session", "api_key" of plugin "two-keys" cannot be read.',
    ]);
    for (const work of [
      () => setupPlugin(kernel, "two-keys", typing(session, apiKey).request),
      () => forgetSetup(kernel, "two-keys"),
      () => removePlugin(kernel, "two-keys", { yes: true, purge: true, ask: async () => "no-terminal" }),
    ]) {
      expect((await refusalOf(work)).code).toBe("KEYCHAIN_UNAVAILABLE");
    }
    home.keychain.locked = false;
    expect((await call(kernel, "whoami")).success).toBe(true);
  });

  test("T19 where no keychain runs, gum says so and uses the environment alone", async () => {
    using home = scratch({ TWO_KEYS_SESSION: session, TWO_KEYS_API_KEY: apiKey });
    const keychain = { ...home.keychain, absence: "no session bus (D-Bus) runs here" };
    const bare = {
      ...(await home.kernel()),
      host: { ...home.host, keychain, env: { PATH: home.host.env.PATH } },
    };
    const first = await installFrom(bare, home.plugin("two-keys"));
    expect([first.status, first.warnings.map(({ message }) => message)]).toEqual([
      "needs_configuration",
      ["The fake keychain cannot be used: no session bus (D-Bus) runs here."],
    ]);
    const kernel = { ...bare, host: { ...home.host, keychain } };
    const refused = await refusalOf(() =>
      setupPlugin(kernel, "two-keys", { ...nothing, given: new Map([["session", session]]) }),
    );
    expect([refused.code, refused.info.hint]).toEqual([
      "KEYCHAIN_UNAVAILABLE",
      expect.stringContaining("gum config set secrets.backend file"),
    ]);
    const answer = await setupPlugin(kernel, "two-keys", { ...nothing, fromEnvironment: true });
    expect([answer.status, answer.stored, answer.store.state]).toEqual(["active", [], "unavailable"]);
    expect(answer.warnings[0]?.message).toContain("Credentials come from the environment alone.");
  });

  test("T19 the encrypted file takes the keychain's place when it is chosen", async () => {
    using home = scratch();
    await setConfigKey(await home.kernel(), "secrets.backend", "file");
    await setConfigKey(await home.kernel(), "secrets.key_file", "secrets.key");
    const kernel = await installed(home);
    const answer = await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    expect([answer.status, answer.store.name]).toEqual(["active", "file"]);
    expect(home.keychain.calls).toEqual([]);
    expect(readFileSync(join(home.dataDir, "secrets.json"), "utf8")).not.toContain("good-");
    expect((await call(await home.kernel(), "whoami")).success).toBe(true);
  }, 60_000);

  test("T16 values are taken from the environment or given by alias, and an alias that is none is refused", async () => {
    using home = scratch({ TWO_KEYS_API_KEY: apiKey });
    const kernel = await installed(home);
    const given = new Map([["session", session]]);
    const answer = await setupPlugin(kernel, "two-keys", { given, fromEnvironment: true });
    expect([answer.stored, answer.status]).toEqual([["session", "api_key"], "active"]);
    const wrong = await refusalOf(() =>
      setupPlugin(kernel, "two-keys", { ...nothing, given: new Map([["sesion", "x"]]) }),
    );
    expect([wrong.code, wrong.message]).toEqual([
      "USAGE",
      'The plugin "two-keys" has no credential "sesion": did you mean "session"?',
    ]);
    const empty = await refusalOf(() =>
      setupPlugin(kernel, "two-keys", { ...nothing, given: new Map([["session", ""]]) }),
    );
    expect([empty.code, empty.message]).toEqual(["USAGE", 'The value of "session" is empty.']);
  });

  test("T16 --forget forgets what was kept, and the plugin needs configuration again", async () => {
    using home = scratch();
    const kernel = await installed(home);
    await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    const answer = await forgetSetup(kernel, "two-keys");
    expect([answer.forgotten, answer.status]).toEqual([["session", "api_key"], "needs_configuration"]);
    expect([...home.keychain.items.keys()]).toEqual(["gum.probe"]);
    expect((await forgetSetup(kernel, "two-keys")).forgotten).toEqual([]);
  });

  test("P17 remove asks first, and with --purge it forgets credentials and data", async () => {
    using home = scratch();
    const kernel = await installed(home);
    await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    const data = join(home.dataDir, "plugin-data/two-keys");
    const removal = { yes: false, purge: true } as const;
    for (const answer of [false, "no-terminal"] as const) {
      const refused = await refusalOf(() =>
        removePlugin(kernel, "two-keys", { ...removal, ask: async () => answer }),
      );
      expect(refused.code).toBe("REQUIRES_CONFIRMATION");
    }
    expect([existsSync(data), home.keychain.items.has(keyOf("session"))]).toEqual([true, true]);
    const removed = await removePlugin(kernel, "two-keys", { ...removal, ask: async () => true });
    expect(removed.purged).toEqual({ credentials: ["session", "api_key"], data: true });
    expect([existsSync(data), [...home.keychain.items.keys()]]).toEqual([false, ["gum.probe"]]);
  });

  test("P17 without --purge credentials and data stay for the next install", async () => {
    using home = scratch();
    const kernel = await installed(home);
    await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    expect((await removePlugin(kernel, "two-keys")).purged).toBeNull();
    expect((await installFrom(kernel, home.plugin("two-keys"))).status).toBe("installed_pending_restart");
  });
});

describe("what a plugin says of its credentials", () => {
  test("D7 T15 an answer that was remembered with one credential is not given to another", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const source = home.plugin("two-keys", (manifest) => {
      manifest.requirements = { ...(manifest.requirements as object), cache_ttl: 60 };
    });
    await installFrom(kernel, source);
    await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    const cached = async () => (await call(kernel, "whoami")).meta._cache;
    expect([await cached(), await cached()]).toEqual(["miss", "hit"]);
    home.keychain.items.set(keyOf("session"), "good-another-session");
    expect([await cached(), await cached()]).toEqual(["miss", "hit"]);
  });

  test("T17 answers, errors, crashes and resources come without the values, in whatever form", async () => {
    using home = scratch();
    const kernel = await installed(home);
    await setupPlugin(kernel, "two-keys", typing(session, apiKey).request);
    const said: string[] = [JSON.stringify((await call(kernel, "leak", { how: "result" })).payload)];
    for (const how of ["error", "rpc", "long", "crash"]) {
      const error = await refusalOf(() => call(kernel, "leak", { how }));
      said.push(`${error.message} ${JSON.stringify(error.info)} ${error.stack} ${error.cause}`);
    }
    const lifted = await setupPlugin(kernel, "two-keys", nothing);
    expect(lifted.status).toBe("active");
    const runtime = await openCommandRuntime(kernel);
    const asks = { method: "resources/read", params: { uri: "keys://all" } } as const;
    said.push(JSON.stringify(await askWith(kernel, runtime, { plugin: "two-keys", asks })));
    await runtime.close();
    expect(said.filter((text) => !text.includes("[redacted"))).toEqual([]);
    const base64 = [0, 1, 2].map((n) =>
      Buffer.from(`${"x".repeat(n)}${session}`)
        .toString("base64")
        .slice(4, 20),
    );
    for (const form of ["session-4711", "api-key-0815", encodeURIComponent(session), "good-", ...base64]) {
      expect(said.filter((text) => text.includes(form))).toEqual([]);
    }
  });
});

const compound = (manifest: Record<string, unknown>): void => {
  manifest.requirements = {
    auth_strategy: "compound",
    auth_components: [
      { kind: "google_access_token", alias: "google", display_name: "Google sign-in", setup_hint: "" },
      {
        kind: "developer_token",
        alias: "dev_token",
        display_name: "Developer token",
        setup_hint: "Ask",
        env: "MOODY_DEV",
      },
      { kind: "customer_id", alias: "customer", display_name: "Customer id", setup_hint: "Top right" },
      { kind: "billing_account", alias: "billing", display_name: "Billing", setup_hint: "Console" },
      { kind: "access_level", alias: "level", display_name: "Basic access", setup_hint: "Apply for it" },
    ],
    canary: { tool: "look", args: { day: "+1d", place: "{component:customer}/{component:billing}" } },
  };
};

describe("compound sign-in", () => {
  test("T18 C13 the token of the command and what setup collected reach the plugin, its canary and nothing else", async () => {
    using home = scratch({
      GOOGLE_APPLICATION_CREDENTIALS: "/adc.json",
      GOOGLE_ACCESS_TOKEN: "ya29.of-the-user",
      CLOUDSDK_CONFIG: "/gcloud",
    });
    const token = join(home.folder, "print-token");
    writeFileSync(token, "#!/bin/sh\necho ya29.short-lived\n");
    chmodSync(token, 0o755);
    const data = join(home.dataDir, "plugin-data/moody");
    mkdirSync(join(data, "home"), { recursive: true });
    const before = await installFrom(await home.kernel(), home.plugin("moody", compound));
    expect(before.status).toBe("needs_configuration");
    await setConfigKey(await home.kernel(), "auth.google_access_token_command", JSON.stringify([token]));
    const kernel = await home.kernel();
    const { request, questions } = typing("dev-token-99", "123-456-7890", "bill-77");
    const answer = await setupPlugin(kernel, "moody", request);
    expect(questions.map(({ alias, secret }) => [alias, secret])).toEqual([
      ["dev_token", true],
      ["customer", false],
      ["billing", false],
    ]);
    expect(answer.checklist.map(({ alias }) => alias)).toEqual(["customer", "billing", "level"]);
    expect(answer.credentials.map(({ alias, found }) => [alias, found])).toEqual([
      ["google", "command"],
      ["dev_token", "keychain"],
      ["customer", "keychain"],
      ["billing", "keychain"],
    ]);
    expect(JSON.parse(readFileSync(join(data, "home/asked.json"), "utf8"))).toMatchObject({
      place: "123-456-7890/bill-77",
    });
    const env = JSON.parse(readFileSync(join(data, "home/env.json"), "utf8"));
    expect([env.GOOGLE_ACCESS_TOKEN, env.MOODY_DEV]).toEqual(["ya29.short-lived", "dev-token-99"]);
    expect(Object.keys(env).filter((name) => /GOOGLE|CLOUD|GUM|ADC/.test(name))).toEqual([
      "GOOGLE_ACCESS_TOKEN",
    ]);
  });

  test("T18 a plugin that manages its own sign-in gets no Google credential, whatever it lists", async () => {
    using home = scratch({ GOOGLE_ACCESS_TOKEN: "ya29.of-the-user" });
    await setConfigKey(await home.kernel(), "auth.google_access_token_command", "/bin/echo ya29.short-lived");
    const kernel = await home.kernel();
    const source = home.plugin("moody", (manifest) => {
      manifest.declared_capabilities = {
        network: false,
        fs_write_dir: "",
        env_allow: ["GOOGLE_ACCESS_TOKEN"],
      };
      manifest.requirements = {
        auth_strategy: "plugin_managed",
        credential_descriptors: [
          {
            alias: "google",
            env: "GOOGLE_ACCESS_TOKEN",
            kind: "other",
            display_name: "Google",
            setup_hint: "",
          },
        ],
      };
    });
    expect((await installFrom(kernel, source)).ok).toBe(true);
    await runCanary(kernel, "moody", { live: true });
    const env = JSON.parse(readFileSync(join(home.dataDir, "plugin-data/moody/home/env.json"), "utf8"));
    expect(Object.keys(env).filter((name) => name.startsWith("GOOGLE"))).toEqual([]);
  });
});
