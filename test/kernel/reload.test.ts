import { describe, expect, test } from "bun:test";
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from "node:fs";
import { runCanary } from "../../src/kernel/canary.ts";
import { reloadPlugin } from "../../src/kernel/reload.ts";
import { liftQuarantine } from "../../src/kernel/unquarantine.ts";
import { refusalOf } from "../steps/run-step.ts";
import { look, type Moody, moody, put } from "./moody.ts";
import { scratch } from "./scratch.ts";

const plain = { acceptDrift: false };
const accepting = { acceptDrift: true };

describe("gum plugin reload", () => {
  test("C10 a passing reload verifies, tries and lifts the quarantine, and is written down", async () => {
    using home = scratch();
    const { kernel, mood, state, audit } = await moody(home);
    mood({ crash: "start" });
    await runCanary(kernel, "moody", { live: false });
    mood({});
    const answer = await reloadPlugin(kernel, "moody", plain);
    expect([answer.ok, answer.live, answer.status]).toEqual([true, true, "active"]);
    expect(answer.steps.map(({ step }) => step)).toEqual([
      "load-plugin",
      "verify-key",
      "verify-installed",
      "verify-tree",
      "clear-quarantine",
      "resolve-trial-credentials",
      "prepare-trial",
      "open-trial",
      "pin-tools",
      "call-canary",
      "judge",
      "close-session",
      "compose-reload",
      "publish-generation",
      "record-canary",
      "audit",
    ]);
    expect(state()).toMatchObject({ quarantined: false, retry_count: 0, last_canary: { ok: true } });
    expect(audit().at(-1)).toMatchObject({ event: "pipeline.reload", outcome: "ok", plugin: "moody" });
  });

  test("C10 a failing reload quarantines, also a plugin that was active", async () => {
    using home = scratch();
    const { kernel, mood, state, audit } = await moody(home);
    mood({ crash: "call" });
    expect((await refusalOf(() => reloadPlugin(kernel, "moody", plain))).code).toBe("CANARY_FAILED");
    expect(state()).toMatchObject({
      quarantined: true,
      last_error_code: "CANARY_FAILED",
      next_retry_at: null,
    });
    expect(audit().at(-1)).toMatchObject({
      event: "pipeline.reload",
      outcome: "failed",
      code: "CANARY_FAILED",
    });
  });

  test("C7 C10 the sixth crash in a row is permanent, and a passing reload lifts it", async () => {
    using home = scratch();
    const { kernel, state } = await moody(home);
    await crashes(kernel, 6);
    expect(state()).toMatchObject({ permanent_quarantine: true, next_retry_at: null, retry_count: 6 });
    expect((await runCanary(kernel, "moody", { live: true })).status).toBe("quarantined");
    await reloadPlugin(kernel, "moody", plain);
    expect(state()).toMatchObject({ quarantined: false, permanent_quarantine: false, retry_count: 0 });
  });

  test("C9 C10 a reload refuses what only a reinstall lifts, even when the file is as before", async () => {
    using home = scratch();
    const { kernel, row, state } = await moody(home);
    const { executable_path: path } = row();
    const original = readFileSync(path);
    chmodSync(path, 0o755);
    appendFileSync(path, "#");
    expect((await refusalOf(() => reloadPlugin(kernel, "moody", plain))).code).toBe(
      "PLUGIN_EXECUTABLE_UNTRUSTED",
    );
    expect(state().permanent_quarantine).toBe(true);
    writeFileSync(path, original);
    chmodSync(path, 0o555);
    const again = await refusalOf(() => reloadPlugin(kernel, "moody", accepting));
    expect([again.code, again.info.details?.last_error_code]).toEqual([
      "PLUGIN_QUARANTINED",
      "PLUGIN_EXECUTABLE_UNTRUSTED",
    ]);
  });
});

/** So many crashes in a row, as calls record them. */
async function crashes(kernel: Moody["kernel"], count: number): Promise<void> {
  const { quarantine } = await import("../../src/registry/backoff.ts");
  const { publish } = await import("../../src/registry/generations.ts");
  for (let done = 0; done < count; done++) {
    const failure = { code: "SERVICE_DOWN", reason: "it died", now: kernel.host.clock.now() };
    await publish(kernel.host, kernel.profile, (current) => quarantine(current, "moody", failure), {
      command: "test",
    });
  }
}

describe("gum plugin reload --accept-drift", () => {
  const reworded = { ...look, description: "Look at one day" };

  test("T31 C10 compatible drift is accepted, pinned and lifts its quarantine", async () => {
    using home = scratch();
    const { kernel, mood, row, state } = await moody(home);
    const before = row().tools_sha256;
    mood({ tools: [reworded, put] });
    const failed = await runCanary(kernel, "moody", { live: true });
    expect([failed.error?.code, failed.error?.details?.class]).toEqual(["PLUGIN_TOOLS_DRIFT", "compatible"]);
    expect(state().permanent_quarantine).toBe(true);
    expect((await refusalOf(() => reloadPlugin(kernel, "moody", plain))).code).toBe("PLUGIN_QUARANTINED");
    const answer = await reloadPlugin(kernel, "moody", accepting);
    expect(answer.accepted).toEqual([
      { tool: "look", path: "description", class: "compatible", what: "is worded differently" },
    ]);
    expect(state()).toMatchObject({ quarantined: false, permanent_quarantine: false });
    expect(row().tools_sha256).not.toBe(before);
    expect((await runCanary(kernel, "moody", { live: true })).ok).toBe(true);
  });

  test("T31 widening and hostile drift are never accepted", async () => {
    using home = scratch();
    const { kernel, mood, row, state } = await moody(home);
    const before = row().tools_sha256;
    const loosened = { ...look, inputSchema: { ...look.inputSchema, additionalProperties: true } };
    const flipped = { ...look, annotations: { readOnlyHint: false } };
    for (const [tool, gravest] of [
      [loosened, "widening"],
      [flipped, "hostile"],
    ] as const) {
      mood({ tools: [{ ...tool, description: "Look at one day" }, put] });
      const refusal = await refusalOf(() => reloadPlugin(kernel, "moody", accepting));
      expect([refusal.code, refusal.info.details?.class]).toEqual(["PLUGIN_TOOLS_DRIFT", gravest]);
    }
    expect(row().tools_sha256).toBe(before);
    expect(state()).toMatchObject({ last_error_code: "PLUGIN_TOOLS_DRIFT", permanent_quarantine: true });
  });
});

describe("gum plugin unquarantine", () => {
  test("C10 a quarantine is lifted without a run, and that is written down", async () => {
    using home = scratch();
    const { kernel, mood, state, audit } = await moody(home);
    mood({ crash: "start" });
    await runCanary(kernel, "moody", { live: false });
    const answer = await liftQuarantine(kernel, "moody", { yes: false });
    expect([answer.changed, answer.lifted, answer.status]).toEqual([true, "CANARY_FAILED", "active"]);
    expect(state().quarantined).toBe(false);
    expect(audit().at(-1)).toMatchObject({ event: "plugin.unquarantine", outcome: "ok", plugin: "moody" });
    const again = await liftQuarantine(kernel, "moody", { yes: false });
    expect([again.changed, again.lifted]).toEqual([false, null]);
  });

  test("C9 what stands for a breach of trust takes an explicit yes", async () => {
    using home = scratch();
    const { kernel, mood, state } = await moody(home);
    mood({ tools: [{ ...look, description: "Other" }, put] });
    await runCanary(kernel, "moody", { live: false });
    expect((await refusalOf(() => liftQuarantine(kernel, "moody", { yes: false }))).code).toBe(
      "REQUIRES_CONFIRMATION",
    );
    expect(state().quarantined).toBe(true);
    expect((await liftQuarantine(kernel, "moody", { yes: true })).lifted).toBe("PLUGIN_TOOLS_DRIFT");
    expect((await runCanary(kernel, "moody", { live: false })).status).toBe("quarantined");
  });

  test("C10 a plugin that is not installed is not found", async () => {
    using home = scratch();
    const { kernel } = await moody(home);
    expect((await refusalOf(() => liftQuarantine(kernel, "moddy", { yes: true }))).code).toBe(
      "PLUGIN_NOT_FOUND",
    );
    expect((await refusalOf(() => reloadPlugin(kernel, "moddy", plain))).code).toBe("PLUGIN_NOT_FOUND");
  });
});
