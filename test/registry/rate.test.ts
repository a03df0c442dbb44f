import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Bucket, draw, takeFromBucket } from "../../src/registry/rate.ts";
import { profile } from "../steps/run-step.ts";
import { tempFolder, testHost } from "./support.ts";

const start = Date.parse("2026-03-01T12:00:00.000Z");
const policy = { per_minute: 30, burst: 3 };

describe("the bucket", () => {
  test("D7 it starts full, and one call comes back every two seconds at thirty a minute", () => {
    let bucket: Bucket | undefined;
    const waits: (number | undefined)[] = [];
    for (const now of [0, 0, 0, 0, 1000, 2000, 2001]) {
      const drawn = draw(bucket, policy, start + now);
      bucket = drawn.bucket;
      waits.push(drawn.waitMs);
    }
    expect(waits).toEqual([undefined, undefined, undefined, 2000, 1000, undefined, 1999]);
  });

  test("D7 a clock that jumps gives no more than the burst, and makes nobody wait longer than one call takes", () => {
    const empty: Bucket = { tokens: 0, at: start };
    expect(draw(empty, policy, start + 1e12).bucket.tokens).toBe(2);
    expect(draw(empty, policy, start - 1e12)).toEqual({
      bucket: { tokens: 0, at: start - 1e12 },
      waitMs: 2000,
    });
  });

  test("D7 however the clock behaves, no more calls pass than the burst and the time allow", () => {
    const steps = fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 100 });
    fc.assert(
      fc.property(steps, (moves) => {
        let [bucket, now, passed, ahead]: [Bucket | undefined, number, number, number] = [
          undefined,
          start,
          0,
          0,
        ];
        for (const move of moves) {
          now += move;
          ahead += Math.max(0, move);
          const drawn = draw(bucket, policy, now);
          bucket = drawn.bucket;
          if (drawn.waitMs === undefined) passed++;
          expect(drawn.waitMs ?? 1).toBeLessThanOrEqual(2000);
        }
        expect(passed).toBeLessThanOrEqual(policy.burst + ahead / 2000 + 1e-6);
      }),
    );
  });
});

describe("the bucket's file", () => {
  test("D7 processes share one bucket per plugin and profile", async () => {
    using folder = tempFolder();
    const home = { ...profile, cacheDir: folder.path };
    const slow = { per_minute: 1, burst: 4 };
    const takes = await Promise.all(
      Array.from({ length: 8 }, () => takeFromBucket(testHost(), home, "alpha", slow)),
    );
    expect(takes.filter((wait) => wait === undefined).length).toBe(4);
    expect(await takeFromBucket(testHost(), home, "beta", slow)).toBeUndefined();
    expect(statSync(join(folder.path, "rate/alpha.json")).mode & 0o777).toBe(0o600);
  });

  test("D7 a file that was cut short counts as a full bucket", async () => {
    using folder = tempFolder();
    const home = { ...profile, cacheDir: folder.path };
    const once = { per_minute: 1, burst: 1 };
    const host = testHost();
    expect(await takeFromBucket(host, home, "alpha", once)).toBeUndefined();
    expect(await takeFromBucket(host, home, "alpha", once)).toBeGreaterThan(50_000);
    await Bun.write(join(folder.path, "rate/alpha.json"), '{"tok');
    expect(await takeFromBucket(host, home, "alpha", once)).toBeUndefined();
  });
});
