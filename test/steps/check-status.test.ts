import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { StateRow } from "../../src/model/registry.ts";
import { publish } from "../../src/registry/generations.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { checkStatus } from "../../src/steps/check-status.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { adding, at, tempFolder, testHost } from "../registry/support.ts";
import { resolved } from "./dispatch-support.ts";
import { profile, refusalOf, runStep } from "./run-step.ts";

const crashed = { quarantined: true, reason: "it crashed", last_error_code: "SERVICE_DOWN" } as const;
const resting = (next_retry_at: string | null, more: Partial<StateRow> = {}): Partial<StateRow> => ({
  ...crashed,
  retry_count: 1,
  backoff_step: 1,
  next_retry_at,
  ...more,
});

describe("check-status", () => {
  test("D2 a quarantined plugin is refused by the name it was called by", async () => {
    const byPlugin = await refusalOf(() =>
      runStep(checkStatus, { resolved: resolved({ state: crashed }), profile }),
    );
    expect([byPlugin.code, byPlugin.message]).toEqual([
      "PLUGIN_QUARANTINED",
      'Plugin "alpha" is quarantined: it crashed',
    ]);
    const byOp = await refusalOf(() =>
      runStep(checkStatus, { resolved: resolved({ state: crashed, addressedBy: "op" }), profile }),
    );
    expect(byOp.code).toBe("VARIANT_QUARANTINED");
  });

  test("D2 a plugin without credentials answers AUTH_REQUIRED with the way to set it up", async () => {
    const descriptor = {
      alias: "token",
      env: "ALPHA_TOKEN",
      kind: "api_key",
      display_name: "Token",
      setup_hint: "From the account page.",
    } as const;
    const error = await refusalOf(() =>
      runStep(checkStatus, {
        resolved: resolved({
          state: { needs_configuration: true },
          plugin: { credential_descriptors: [descriptor] },
        }),
        profile,
      }),
    );
    expect([error.code, error.info.details]).toEqual([
      "AUTH_REQUIRED",
      {
        status: "needs_configuration",
        credentials: [{ alias: "token", display_name: "Token", setup_hint: "From the account page." }],
        setup_command: "gum plugin setup alpha",
      },
    ]);
  });

  test("D2 a plugin that is not active in this process answers UNSUPPORTED_CAPABILITY with its status", async () => {
    const error = await refusalOf(() =>
      runStep(checkStatus, { resolved: resolved({ status: "installed_pending_restart" }), profile }),
    );
    expect([error.code, error.info.details]).toEqual([
      "UNSUPPORTED_CAPABILITY",
      { status: "installed_pending_restart" },
    ]);
  });

  test("D2 an active plugin is callable", async () => {
    expect((await runStep(checkStatus, { resolved: resolved(), profile })).given).toEqual({ callable: true });
  });

  test("C7 inside the rest a call is told when to come back, and after it one is let through", async () => {
    const host = createFakeHost(); // its clock stands at 2026-01-01T00:00:00Z
    const during = resolved({ state: resting("2026-01-01T00:00:20.000Z") });
    const error = await refusalOf(() => runStep(checkStatus, { resolved: during, profile }, { host }));
    expect([error.code, error.info.retryable, error.info.retryAfterMs]).toEqual([
      "PLUGIN_QUARANTINED",
      true,
      20_000,
    ]);
    expect(error.info.details?.next_retry_at).toBe("2026-01-01T00:00:20.000Z");
    host.clock.advance(20_000);
    expect((await runStep(checkStatus, { resolved: during, profile }, { host })).given).toEqual({
      callable: true,
    });
  });

  test("C9 a plugin that is not the trusted one is never tried again by itself", async () => {
    const host = createFakeHost();
    host.clock.advance(1e12);
    const state = resting(null, {
      last_error_code: "PLUGIN_EXECUTABLE_UNTRUSTED",
      permanent_quarantine: true,
    });
    const error = await refusalOf(() =>
      runStep(checkStatus, { resolved: resolved({ state }), profile }, { host }),
    );
    expect([error.code, error.info.retryable]).toEqual(["PLUGIN_QUARANTINED", false]);
    expect(error.info.hint).toContain("gum plugin unquarantine alpha --yes");
  });

  test("C12 a rest that a clock jump made longer than its step is cut, and that is written down", async () => {
    using folder = tempFolder();
    const host = testHost();
    const home = { ...profile, dataDir: join(folder.path, "data"), cacheDir: join(folder.path, "cache") };
    const far = resting(new Date(Date.now() + 86_400_000).toISOString(), { activated_at: at });
    await publish(
      host,
      home,
      (current) => {
        const next = adding("alpha")(current);
        const plugins = next.state.plugins.map((row) => ({ ...row, ...far, status: "quarantined" as const }));
        return { ...next, state: { ...next.state, plugins } };
      },
      { command: "test" },
    );
    const [row] = (await readRegistry(host, home)).state.plugins;
    const error = await refusalOf(() =>
      runStep(checkStatus, { resolved: resolved({ state: row ?? {} }), profile: home }, { host }),
    );
    expect(error.info.retryAfterMs).toBe(30_000);
    const [written] = (await readRegistry(host, home)).state.plugins;
    expect(Date.parse(written?.next_retry_at ?? "") - Date.now()).toBeLessThanOrEqual(30_000);
  });
});
