import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { GumError } from "../../src/base/errors.ts";
import type { StateRow } from "../../src/model/registry.ts";
import { publish } from "../../src/registry/generations.ts";
import { claimAttempt } from "../../src/registry/outcomes.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { recordOutcome } from "../../src/steps/record-outcome.ts";
import { adding, at, refusal, tempFolder, testHost } from "../registry/support.ts";
import { resolved } from "./dispatch-support.ts";
import { profile, runStep } from "./run-step.ts";

const answer = { ok: true, payload: { success: true, data: 1 } } as const;
const crash = new GumError("SERVICE_DOWN", "It crashed.", { details: { cause: "exit_code" } });
const late = new GumError("PLUGIN_TIMEOUT", "It was late.", { details: { timeout_ms: 5, in_a_row: 1 } });

/** A profile with plugin alpha, a clock that can be moved, and what record-outcome makes of calls. */
async function world() {
  const folder = tempFolder();
  let moved = 0;
  const real = testHost();
  const host = { ...real, clock: { ...real.clock, now: () => Date.now() + moved } };
  const home = { ...profile, dataDir: join(folder.path, "data"), cacheDir: join(folder.path, "cache") };
  await publish(
    host,
    home,
    (current) => {
      const next = adding("alpha")(current);
      const plugins = next.state.plugins.map((row) => ({
        ...row,
        activated_at: at,
        status: "active" as const,
      }));
      return { ...next, state: { ...next.state, plugins } };
    },
    { command: "test" },
  );
  const state = async (): Promise<StateRow> => {
    const [row] = (await readRegistry(host, home)).state.plugins;
    if (row === undefined) throw new Error("The plugin is gone");
    return row;
  };
  const end = async (outcome: { error?: GumError; answered?: boolean; hit?: boolean; seen?: StateRow }) => {
    const seen = outcome.seen ?? (await state());
    const cached = outcome.hit ? ({ use: "hit", answer, storedAt: at } as const) : ({ use: "off" } as const);
    const input = {
      profile: home,
      resolved: resolved({ state: seen }),
      cached,
      ...(outcome.answered ? { answer } : {}),
    };
    return runStep(recordOutcome, input, {
      host,
      ...(outcome.error === undefined ? {} : { error: outcome.error }),
    });
  };
  return {
    host,
    home,
    state,
    end,
    wait: (ms: number) => {
      moved += ms;
    },
    generation: async () => (await readRegistry(host, home)).state.install_generation,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("record-outcome", () => {
  test("C7 crashes rest longer and longer, one attempt at a time, and the sixth lasts", async () => {
    using it = await world();
    const rests: unknown[] = [];
    for (let count = 1; count <= 6; count++) {
      await claimAttempt(it.host, it.home, await it.state());
      await it.end({ error: crash });
      const { next_retry_at, permanent_quarantine, retry_count } = await it.state();
      const rest =
        next_retry_at === null ? null : Math.round((Date.parse(next_retry_at) - it.host.clock.now()) / 1000);
      rests.push([retry_count, rest, permanent_quarantine]);
      it.wait(((rest ?? 0) + 1) * 1000);
    }
    expect(rests).toEqual([
      [1, 30, false],
      [2, 60, false],
      [3, 120, false],
      [4, 240, false],
      [5, 480, false],
      [6, null, true],
    ]);
  });

  test("C7 after the rest one attempt is allowed, and others are refused while it runs", async () => {
    using it = await world();
    await it.end({ error: crash });
    const resting = await it.state();
    expect((await refusal(() => claimAttempt(it.host, it.home, resting))).code).toBe("PLUGIN_QUARANTINED");
    it.wait(31_000);
    await claimAttempt(it.host, it.home, resting);
    expect((await refusal(() => claimAttempt(it.host, it.home, resting))).code).toBe("PLUGIN_QUARANTINED");
    await it.end({ answered: true });
    const { quarantined, retry_count, status } = await it.state();
    expect([quarantined, retry_count, status]).toEqual([false, 0, "active"]);
  });

  test("C7 calls that were under way together and met one crash count once", async () => {
    using it = await world();
    const seen = await it.state();
    await Promise.all(Array.from({ length: 5 }, () => it.end({ error: crash, seen })));
    expect((await it.state()).retry_count).toBe(1);
    // A call that began before the crash and ended well says nothing about what came after.
    await it.end({ answered: true, seen });
    expect((await it.state()).quarantined).toBe(true);
  });

  test("R6 a call that goes well publishes nothing", async () => {
    using it = await world();
    const before = await it.generation();
    for (let count = 0; count < 3; count++) await it.end({ answered: true });
    await it.end({ hit: true, answered: true });
    expect(await it.generation()).toBe(before);
  });

  const harmless: [string, GumError][] = [
    ["arguments that do not fit", new GumError("INVALID_ARGS", "No.")],
    ["a call that was refused", new GumError("RATE_LIMITED", "No.")],
    [
      "a session that gum closed",
      new GumError("SERVICE_DOWN", "x", { details: { cause: "session_closed" } }),
    ],
    [
      "a machine without a sandbox",
      new GumError("PLUGIN_SANDBOX_UNSUPPORTED", "x", { details: { cause: "x" } }),
    ],
    ["a caller who went away", new GumError("INTERNAL_ERROR", "Unexpected failure: gum was interrupted")],
  ];
  test.each(harmless)("C8 %s is no crash", async (_, error) => {
    using it = await world();
    const before = await it.generation();
    await it.end({ error });
    expect(await it.generation()).toBe(before);
  });

  test("C8 a plugin-local error is an answer, and ends a row of timeouts", async () => {
    using it = await world();
    for (const _ of [1, 2]) await it.end({ error: late });
    await it.end({ error: new GumError("INVALID_ARGS", "Empty."), answered: true });
    for (const _ of [1, 2]) await it.end({ error: late });
    expect((await it.state()).quarantined).toBe(false);
  });

  test("C8 three timeouts in a row are a crash, and the first two are in no registry file", async () => {
    using it = await world();
    const before = await it.generation();
    for (const _ of [1, 2]) await it.end({ error: late });
    expect(await it.generation()).toBe(before);
    await it.end({ error: late });
    const { quarantined, last_error_code, retry_count } = await it.state();
    expect([quarantined, last_error_code, retry_count]).toEqual([true, "PLUGIN_TIMEOUT", 1]);
  });

  test("C8 other tools than the manifest's are a crash with a rest", async () => {
    using it = await world();
    await it.end({ error: new GumError("PLUGIN_TOOLS_MISMATCH", "Others.") });
    const { permanent_quarantine, next_retry_at } = await it.state();
    expect([permanent_quarantine, next_retry_at === null]).toEqual([false, false]);
  });

  const lasting = ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED", "PLUGIN_TOOLS_DRIFT"] as const;
  test.each(lasting)("C9 %s quarantines at once and for good", async (code) => {
    using it = await world();
    await it.end({ error: new GumError(code, "It is not the same.") });
    const { permanent_quarantine, next_retry_at, last_error_code, reason } = await it.state();
    expect([permanent_quarantine, next_retry_at, last_error_code, reason]).toEqual([
      true,
      null,
      code,
      "It is not the same.",
    ]);
    await it.end({ answered: true });
    expect((await it.state()).permanent_quarantine).toBe(true);
  });

  test("C9 a trust fault counts although a crash was counted since", async () => {
    using it = await world();
    const seen = await it.state();
    await it.end({ error: crash, seen });
    await it.end({ error: new GumError("PLUGIN_TOOLS_DRIFT", "It is not the same."), seen });
    expect((await it.state()).permanent_quarantine).toBe(true);
  });

  test("R13 the outcome of a call to an install that was replaced is not the new one's", async () => {
    using it = await world();
    const seen = { ...(await it.state()), installed_at: "2025-01-01T00:00:00.000Z" };
    await it.end({ error: crash, seen });
    expect((await it.state()).quarantined).toBe(false);
  });
});
