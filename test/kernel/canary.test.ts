import { describe, expect, test } from "bun:test";
import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCanaries, runCanary } from "../../src/kernel/canary.ts";
import { reloadPlugin } from "../../src/kernel/reload.ts";
import { refusalOf } from "../steps/run-step.ts";
import { look, moody, put } from "./moody.ts";
import { installFrom, scratch } from "./scratch.ts";

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

describe("gum canary", () => {
  test("C4 C14 without --live the plugin is started and lists its tools, and no tool is called", async () => {
    using home = scratch();
    const { kernel, asked } = await moody(home);
    const answer = await runCanary(kernel, "moody", { live: false });
    expect(answer).toMatchObject({
      plugin: "moody",
      ok: true,
      live: false,
      latency_ms: null,
      status: "active",
    });
    expect(answer.spawn_ms).toBeGreaterThan(0);
    expect(answer.steps.map(({ step, outcome }) => [step, outcome])).toEqual([
      ["load-plugin", "ok"],
      ["verify-key", "ok"],
      ["verify-installed", "ok"],
      ["resolve-trial-credentials", "ok"],
      ["prepare-trial", "ok"],
      ["open-trial", "ok"],
      ["pin-tools", "ok"],
      ["call-canary", "ok"],
      ["judge", "ok"],
      ["close-session", "ok"],
      ["record-canary", "ok"],
      ["audit", "ok"],
    ]);
    expect(asked).toThrow();
  });

  test("C2 C4 with --live the trial call is made, with dates of today and arguments that were said", async () => {
    using home = scratch();
    const { kernel, asked } = await moody(home);
    const [before, answer, after] = [day(1), await runCanary(kernel, "moody", { live: true }), day(1)];
    expect([answer.ok, answer.live]).toEqual([true, true]);
    expect(answer.latency_ms).toBeGreaterThanOrEqual(0);
    expect([before, after].map((date) => ({ day: date, place: "here" }))).toContainEqual(asked() as never);
    await runCanary(kernel, "moody", { live: true, args: { day: "\\+1d", place: "there" } });
    expect(asked()).toEqual({ day: "+1d", place: "there" });
  });

  test("C3 an answer that does not fit a response_schema fails the canary", async () => {
    using home = scratch();
    const { kernel, mood } = await moody(home, (manifest) => {
      manifest.requirements = {
        canary: {
          tool: "look",
          args: { day: "today" },
          expect: {
            response_schema: {
              type: "object",
              required: ["seen"],
              properties: { seen: { type: "boolean" } },
            },
          },
        },
      };
    });
    expect((await runCanary(kernel, "moody", { live: true })).ok).toBe(true);
    mood({ answer: { success: true, data: { seen: "yes" } } });
    const { error } = await runCanary(kernel, "moody", { live: true });
    expect(error?.code).toBe("CANARY_FAILED");
    expect(error?.message).toContain("the data at /seen");
  });

  test("C5 a failed canary quarantines without a retry window, and a later pass lifts it", async () => {
    using home = scratch();
    const { kernel, mood, state } = await moody(home);
    mood({ crash: "call" });
    const failed = await runCanary(kernel, "moody", { live: true });
    expect([failed.ok, failed.status, failed.error?.code]).toEqual([false, "quarantined", "CANARY_FAILED"]);
    expect(failed.error?.details).toMatchObject({ cause: "exit_code", exit: { code: 4, signal: null } });
    expect(state()).toMatchObject({
      quarantined: true,
      last_error_code: "CANARY_FAILED",
      next_retry_at: null,
      permanent_quarantine: false,
      last_canary: { ok: false, code: "CANARY_FAILED" },
    });
    mood({});
    expect((await runCanary(kernel, "moody", { live: true })).status).toBe("active");
    expect(state()).toMatchObject({
      quarantined: false,
      retry_count: 0,
      last_canary: { ok: true, code: null },
    });
  });

  test("C5 a handshake does not lift what a trial call has brought about", async () => {
    using home = scratch();
    const { kernel, mood, state } = await moody(home);
    mood({ answer: { success: false, error_code: "SERVICE_DOWN", error: "tired" } });
    await runCanary(kernel, "moody", { live: true });
    const handshake = await runCanary(kernel, "moody", { live: false });
    expect([handshake.ok, handshake.status]).toEqual([true, "quarantined"]);
    expect(state().quarantined).toBe(true);
  });

  test("C6 only a live canary clears needs_configuration, and only with credentials", async () => {
    using home = scratch();
    const needy = (manifest: Record<string, unknown>) =>
      void Object.assign(manifest.requirements as object, {
        needs_user_creds: ["MOODY_KEY"],
        credential_descriptors: [
          {
            alias: "moody_key",
            env: "MOODY_KEY",
            kind: "api_key",
            display_name: "Moody key",
            setup_hint: "Ask for one",
          },
        ],
        auth_strategy: "plugin_managed",
      });
    const { kernel, state, row } = await moody(home, needy);
    expect([state().status, row().tools_sha256, row().pins]).toEqual(["needs_configuration", null, null]);
    const without = await runCanary(kernel, "moody", { live: true });
    expect([without.ok, without.error?.code, without.status]).toEqual([
      false,
      "AUTH_REQUIRED",
      "needs_configuration",
    ]);
    expect(JSON.stringify(without.error)).not.toContain("MOODY_KEY");
    const env = { ...kernel.host.env, MOODY_KEY: "k" };
    const configured = { ...kernel, host: { ...kernel.host, env } };
    expect((await runCanary(configured, "moody", { live: false })).status).toBe("needs_configuration");
    expect((await runCanary(configured, "moody", { live: true })).status).toBe("installed_pending_restart");
    expect(row().tools_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(row().pins?.ref).toBe("moody.tools");
  });

  test("C15 a canary that changes no status leaves the registry alone and is kept in the cache", async () => {
    using home = scratch();
    const { kernel, mood, generation } = await moody(home);
    await runCanary(kernel, "moody", { live: false }); // activates
    const before = generation();
    await runCanary(kernel, "moody", { live: true });
    expect(generation()).toBe(before);
    const file = join(kernel.profile.cacheDir, "canaries/moody.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      plugin: "moody",
      ok: true,
      live: true,
      code: null,
    });
    mood({ crash: "start" });
    await runCanary(kernel, "moody", { live: false });
    expect(generation()).toBe(before + 1);
    await runCanary(kernel, "moody", { live: false });
    expect(generation()).toBe(before + 1);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ ok: false, code: "CANARY_FAILED" });
  });

  test("C9 a changed file quarantines at once and permanently, and nothing is started", async () => {
    using home = scratch();
    const { kernel, row, state } = await moody(home);
    const { executable_path: path } = row();
    chmodSync(path, 0o755);
    appendFileSync(path, `\nopen(${JSON.stringify(join(home.folder, "ran"))}, "w")\n`);
    const answer = await runCanary(kernel, "moody", { live: true });
    expect([answer.error?.code, answer.status, answer.spawn_ms]).toEqual([
      "PLUGIN_EXECUTABLE_UNTRUSTED",
      "quarantined",
      null,
    ]);
    expect(state()).toMatchObject({ permanent_quarantine: true, next_retry_at: null });
    expect(existsSync(join(home.folder, "ran"))).toBe(false);
  });

  test("C9 a failed canary does not hide that the plugin is not the one that was trusted", async () => {
    using home = scratch();
    const { kernel, mood, state } = await moody(home);
    mood({ tools: [look, { ...put, description: "Put it elsewhere" }] });
    await runCanary(kernel, "moody", { live: false });
    mood({ crash: "start" });
    await runCanary(kernel, "moody", { live: false });
    expect(state()).toMatchObject({ last_error_code: "PLUGIN_TOOLS_DRIFT", permanent_quarantine: true });
    mood({});
    expect((await runCanary(kernel, "moody", { live: true })).status).toBe("quarantined");
    expect((await refusalOf(() => reloadPlugin(kernel, "moody", { acceptDrift: false }))).code).toBe(
      "PLUGIN_QUARANTINED",
    );
  });

  test("C11 every active plugin is tried, a few at a time, and one that fails makes the whole fail", async () => {
    using home = scratch();
    const { kernel, mood } = await moody(home);
    await installFrom(kernel, home.plugin("hello"));
    await installFrom(kernel, home.plugin("crash-start")); // quarantined, so not active
    const all = await runCanaries(kernel, { live: true, jobs: 4 });
    expect([all.ok, all.canaries.map(({ plugin, ok }) => [plugin, ok])]).toEqual([
      true,
      [
        ["hello", true],
        ["moody", true],
      ],
    ]);
    mood({ crash: "call" });
    const told: string[] = [];
    const again = await runCanaries(kernel, { live: true, jobs: 1 }, ({ plugin }, done, total) => {
      told.push(`${done}/${total} ${plugin}`);
    });
    expect(again.ok).toBe(false);
    expect(again.canaries.map(({ error }) => error?.code ?? null)).toEqual([null, "CANARY_FAILED"]);
    expect(told).toEqual(["1/2 hello", "2/2 moody"]);
  });

  test("C4 arguments for a plugin without a trial call are a mistake of the caller", async () => {
    using home = scratch();
    const { kernel } = await moody(home, (manifest) => void delete manifest.requirements);
    const refusal = await refusalOf(() => runCanary(kernel, "moody", { live: true, args: { a: 1 } }));
    expect(refusal.code).toBe("USAGE");
    expect((await runCanary(kernel, "moody", { live: true })).latency_ms).toBeNull();
  });
});
