// C7 from the first crash to the last, with real processes and a clock that is moved.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCanary } from "../../src/kernel/canary.ts";
import { reloadPlugin } from "../../src/kernel/reload.ts";
import { refusalOf } from "../steps/run-step.ts";
import { callerIn } from "./calls.ts";
import { installFrom, type Scratch, scratch } from "./scratch.ts";

const look = "plug.moody.look";
const day = { day: "today" };

async function crashing(home: Scratch) {
  const caller = await callerIn(home);
  await installFrom(caller.kernel, home.plugin("moody"));
  const own = join(home.dataDir, "plugin-data/moody/home");
  mkdirSync(own, { recursive: true });
  const mood = (value: object) => writeFileSync(join(own, "mood.json"), JSON.stringify(value));
  mood({ crash: "call" });
  return { caller, mood };
}

test("C7 five crashes rest 30 to 480 seconds, the sixth is for good, and only a passing reload lifts it", async () => {
  using home = scratch();
  const { caller, mood } = await crashing(home);
  const rests: number[] = [];
  for (let crash = 1; crash <= 5; crash++) {
    expect((await refusalOf(() => caller.call(look, day))).code).toBe("SERVICE_DOWN");
    const started = caller.started();
    const resting = await refusalOf(() => caller.call(look, day));
    expect([resting.code, caller.started()]).toEqual(["PLUGIN_QUARANTINED", started]);
    rests.push(Math.ceil((resting.info.retryAfterMs ?? 0) / 1000));
    caller.wait((resting.info.retryAfterMs ?? 0) + 1);
  }
  expect(rests).toEqual([30, 60, 120, 240, 480]);
  expect((await refusalOf(() => caller.call(look, day))).code).toBe("SERVICE_DOWN");
  expect(await caller.state()).toMatchObject({
    permanent_quarantine: true,
    next_retry_at: null,
    retry_count: 6,
  });
  caller.wait(365 * 86_400_000);
  mood({});
  const started = caller.started();
  expect((await refusalOf(() => caller.call(look, day))).code).toBe("PLUGIN_QUARANTINED");
  expect(caller.started()).toBe(started);
  await reloadPlugin(caller.kernel, "moody", { acceptDrift: false });
  expect((await caller.call(look, day)).payload.data).toEqual({ seen: true });
}, 30_000);

test("C12 a clock that is set back a year does not lengthen a rest beyond its length", async () => {
  using home = scratch();
  const { caller, mood } = await crashing(home);
  await refusalOf(() => caller.call(look, day));
  caller.wait(-365 * 86_400_000);
  const resting = await refusalOf(() => caller.call(look, day));
  expect([resting.code, Math.ceil((resting.info.retryAfterMs ?? 0) / 1000)]).toEqual([
    "PLUGIN_QUARANTINED",
    30,
  ]);
  caller.wait(30_001);
  mood({});
  expect((await caller.call(look, day)).payload.data).toEqual({ seen: true });
  expect(await caller.state()).toMatchObject({ quarantined: false, retry_count: 0 });
});

test("C5 C7 a whole canary that passes ends a rest early, since somebody asked for it", async () => {
  using home = scratch();
  const { caller, mood } = await crashing(home);
  await refusalOf(() => caller.call(look, day));
  mood({});
  expect((await runCanary(caller.kernel, "moody", { live: false })).status).toBe("quarantined");
  expect((await runCanary(caller.kernel, "moody", { live: true })).status).toBe("active");
  expect((await caller.call(look, day)).payload.data).toEqual({ seen: true });
});
