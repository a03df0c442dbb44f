import { describe, expect, test } from "bun:test";
import type { StateRow } from "../../src/model/registry.ts";
import {
  afterFailure,
  afterSuccess,
  beginAttempt,
  clearQuarantine,
  quarantine,
  retryWindow,
  unquarantine,
  withConfiguration,
} from "../../src/registry/backoff.ts";
import { at, refusal, registryOf, stateRow } from "./support.ts";

const start = Date.parse("2026-03-01T12:00:00.000Z");
const crash = (row: StateRow, now: number) =>
  afterFailure(row, { code: "SERVICE_DOWN", reason: "it crashed", now });

describe("backoff", () => {
  test("C7 crashes rest 30, 60, 120, 240 and 480 seconds, and the sixth in a row lasts", () => {
    let row = stateRow("fli", { activated_at: at, status: "active" });
    let now = start;
    const rests: unknown[] = [];
    for (let count = 1; count <= 6; count++) {
      row = crash(row, now);
      const rest = row.next_retry_at === null ? null : (Date.parse(row.next_retry_at) - now) / 1000;
      rests.push([row.retry_count, row.backoff_step, rest, row.permanent_quarantine, row.status]);
      now += (rest ?? 0) * 1000;
    }
    expect(rests).toEqual([
      [1, 1, 30, false, "quarantined"],
      [2, 2, 60, false, "quarantined"],
      [3, 3, 120, false, "quarantined"],
      [4, 4, 240, false, "quarantined"],
      [5, 5, 480, false, "quarantined"],
      [6, 5, null, true, "quarantined"],
    ]);
    expect(retryWindow(row, now + 1e12)).toMatchObject({ mayTry: false, nextRetryAt: null });
  });

  test("C7 inside the window nothing starts, after it one attempt is allowed", async () => {
    const row = crash(stateRow("fli"), start);
    expect(retryWindow(row, start + 29_999)).toEqual({
      mayTry: false,
      nextRetryAt: "2026-03-01T12:00:30.000Z",
      retryAfterMs: 1,
      corrected: null,
    });
    expect((await refusal(() => beginAttempt(row, start + 10_000))).code).toBe("PLUGIN_QUARANTINED");
    expect(retryWindow(row, start + 30_000).mayTry).toBe(true);
    const trying = beginAttempt(row, start + 30_000);
    expect(retryWindow(trying, start + 30_001).mayTry).toBe(false);
    expect(retryWindow(trying, start + 60_000).mayTry).toBe(true);
  });

  test("C7 a success clears everything", () => {
    const row = crash(crash(stateRow("fli", { activated_at: at }), start), start + 40_000);
    expect(afterSuccess(row)).toEqual(stateRow("fli", { activated_at: at, status: "active" }));
  });

  for (const code of ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED", "PLUGIN_TOOLS_DRIFT"]) {
    test(`C9 ${code} quarantines at once and for good, and no success clears it`, () => {
      const row = afterFailure(stateRow("fli"), { code, reason: "not what was trusted", now: start });
      expect([row.status, row.permanent_quarantine, row.next_retry_at]).toEqual(["quarantined", true, null]);
      expect(afterSuccess(row)).toBe(row);
      expect(crash(row, start + 1000).permanent_quarantine).toBe(true);
      expect(clearQuarantine(row).status).toBe("installed_pending_restart");
    });
  }

  test("C10 a failed canary has no retry window and does not last", () => {
    const row = afterFailure(stateRow("fli"), { code: "CANARY_FAILED", reason: "no answer", now: start });
    expect([row.status, row.permanent_quarantine, row.next_retry_at]).toEqual(["quarantined", false, null]);
    expect(retryWindow(row, start + 1e9).mayTry).toBe(false);
    expect(afterSuccess(row).quarantined).toBe(false);
  });

  test("C12 a clock that jumped back does not lengthen the rest: it ends when its length is over", () => {
    const row = crash(stateRow("fli"), start);
    const now = start - 86_400_000;
    const window = retryWindow(row, now);
    expect([window.mayTry, window.retryAfterMs, window.nextRetryAt]).toEqual([
      false,
      30_000,
      "2026-02-28T12:00:30.000Z",
    ]);
    const corrected = window.corrected ?? row;
    expect(retryWindow(corrected, now + 30_000).mayTry).toBe(true);
    expect(retryWindow(row, start + 1_000).corrected).toBeNull();
  });

  test("C6 needs_configuration is set and cleared apart from quarantine", () => {
    const row = withConfiguration(stateRow("fli", { activated_at: at }), true);
    expect(row.status).toBe("needs_configuration");
    expect(crash(row, start).status).toBe("quarantined");
    expect(withConfiguration(row, false).status).toBe("active");
  });

  test("C7 quarantine and unquarantine of a registry change one row and share the rest", async () => {
    const before = registryOf("fli", "sea");
    const after = quarantine(before, "fli", { code: "SERVICE_DOWN", reason: "it crashed", now: start });
    expect(after.state.plugins.map((row) => row.quarantined)).toEqual([true, false]);
    expect(after.state.plugins[1] === before.state.plugins[1]).toBe(true);
    expect(after.lock).toBe(before.lock);
    expect(unquarantine(after, "fli").state.plugins).toEqual(before.state.plugins);
    expect(unquarantine(before, "sea")).toBe(before);
    expect((await refusal(() => unquarantine(before, "nobody"))).code).toBe("PLUGIN_NOT_FOUND");
  });
});
