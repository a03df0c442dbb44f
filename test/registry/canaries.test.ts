import { describe, expect, test } from "bun:test";
import { afterFailure } from "../../src/registry/backoff.ts";
import {
  afterCanary,
  type CanaryEnd,
  keepCanary,
  quarantineCode,
  readCanary,
} from "../../src/registry/canaries.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { profile } from "../steps/run-step.ts";
import { stateRow } from "./support.ts";

const now = Date.UTC(2026, 0, 1);
const passed: CanaryEnd = { ok: true, whole: true, live: true, latencyMs: 3 };
const handshake: CanaryEnd = { ...passed, whole: false, live: false };
const failed: CanaryEnd = { ok: false, code: "CANARY_FAILED", reason: "It did not answer." };
const calm = stateRow("alpha");
const crash = { code: "SERVICE_DOWN", reason: "It died.", now };

describe("a plugin's state after a canary", () => {
  test("C15 nothing changes for a calm plugin that passes, nor for one that fails as before", () => {
    expect(afterCanary(calm, passed, now)).toBe(calm);
    const once = afterCanary(calm, failed, now);
    expect(afterCanary(once, failed, now + 1000)).toBe(once);
  });

  test("C5 C10 a failure quarantines without a retry window, however often it happens", () => {
    const row = afterCanary(calm, failed, now);
    expect(row).toMatchObject({
      quarantined: true,
      status: "quarantined",
      last_error_code: "CANARY_FAILED",
      next_retry_at: null,
      permanent_quarantine: false,
      last_canary: { at: "2026-01-01T00:00:00.000Z", ok: false, code: "CANARY_FAILED" },
    });
  });

  test("C5 a whole pass lifts a quarantine, a handshake does not", () => {
    const resting = afterFailure(calm, crash);
    expect(afterCanary(resting, handshake, now)).toBe(resting);
    expect(afterCanary(resting, passed, now)).toMatchObject({
      quarantined: false,
      retry_count: 0,
      next_retry_at: null,
    });
  });

  test("C6 only a live pass clears needs_configuration", () => {
    const needy = { ...calm, needs_configuration: true, status: "needs_configuration" as const };
    expect(afterCanary(needy, { ...passed, live: false }, now)).toBe(needy);
    expect(afterCanary(needy, passed, now)).toMatchObject({ needs_configuration: false });
  });

  test("C7 C9 a lasting quarantine is not lifted by a canary, nor overwritten by a lesser failure", () => {
    const drifted = afterFailure(calm, { ...crash, code: "PLUGIN_TOOLS_DRIFT" });
    expect(drifted.permanent_quarantine).toBe(true);
    expect(afterCanary(drifted, passed, now)).toBe(drifted);
    expect(afterCanary(drifted, failed, now)).toBe(drifted);
    const worn = Array.from({ length: 6 }).reduce<typeof calm>((row) => afterFailure(row, crash), calm);
    expect([worn.permanent_quarantine, afterCanary(worn, passed, now)]).toEqual([true, worn]);
  });

  test("C9 a breach of trust is permanent at once", () => {
    const tampered: CanaryEnd = { ok: false, code: "PLUGIN_TREE_MODIFIED", reason: "A file changed." };
    expect(afterCanary(calm, tampered, now)).toMatchObject({
      permanent_quarantine: true,
      next_retry_at: null,
    });
  });

  test("C8 what is not the plugin's fault quarantines nothing", () => {
    const codes = [
      "CANARY_FAILED",
      "PLUGIN_TOOLS_MISMATCH",
      "PLUGIN_TOOLS_DRIFT",
      "PLUGIN_SANDBOX_UNSUPPORTED",
      "AUTH_REQUIRED",
    ];
    expect(codes.map(quarantineCode)).toEqual([
      "CANARY_FAILED",
      "CANARY_FAILED",
      "PLUGIN_TOOLS_DRIFT",
      undefined,
      undefined,
    ]);
  });
});

test("C15 the last canary of a plugin is kept in the cache folder", async () => {
  const host = createFakeHost();
  const kept = {
    plugin: "alpha",
    at: "2026-01-01T00:00:00.000Z",
    ok: true,
    live: false,
    latency_ms: null,
    spawn_ms: 7,
    code: null,
    reason: null,
  };
  expect(await readCanary(host, profile, "alpha")).toBeUndefined();
  await keepCanary(host, profile, { ...kept, ok: false });
  await keepCanary(host, profile, kept);
  expect(await readCanary(host, profile, "alpha")).toEqual(kept);
  expect(await host.files.exists(`${profile.cacheDir}/canaries/alpha.json`)).toBe(true);
});
