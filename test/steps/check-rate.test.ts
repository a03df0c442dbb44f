import { describe, expect, test } from "bun:test";
import { checkRate } from "../../src/steps/check-rate.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { resolved } from "./dispatch-support.ts";
import { profile, refusalOf, runStep } from "./run-step.ts";

const limited = (per_minute: number, burst: number) =>
  ({
    profile,
    resolved: resolved({ plugin: { rate_policy: { per_minute, burst } } }),
    confirmed: true,
  }) as const;

describe("check-rate", () => {
  test("D7 a call beyond the burst is RATE_LIMITED with the time to wait, and is allowed after it", async () => {
    const host = createFakeHost();
    for (let call = 0; call < 2; call++) {
      expect((await runStep(checkRate, limited(60, 2), { host })).given).toEqual({ rateAllowed: true });
    }
    const error = await refusalOf(() => runStep(checkRate, limited(60, 2), { host }));
    expect([error.code, error.info.retryable, error.info.retryAfterMs, error.info.details]).toEqual([
      "RATE_LIMITED",
      true,
      1000,
      { per_minute: 60, burst: 2 },
    ]);
    host.clock.advance(1000);
    expect((await runStep(checkRate, limited(60, 2), { host })).given).toEqual({ rateAllowed: true });
    expect(host.spawned).toEqual([]);
  });

  test("D7 a plugin without a rate_policy is not limited, and leaves no file", async () => {
    const host = createFakeHost();
    for (let call = 0; call < 100; call++)
      await runStep(checkRate, { profile, resolved: resolved(), confirmed: true }, { host });
    expect(await host.files.exists(profile.cacheDir)).toBe(false);
  });
});
