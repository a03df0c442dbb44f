import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { openServer } from "../../src/kernel/server.ts";
import { callerIn } from "../../test/kernel/calls.ts";
import { installFrom, scratch } from "../../test/kernel/scratch.ts";

const calls = 10_000;
const inFlight = 64;

test("W10 ten thousand calls through one session, 64 in flight, are all answered, and memory stays flat", async () => {
  using home = scratch();
  const command = await callerIn(home);
  await installFrom(command.kernel, home.plugin("hello"));
  await command.call("plug.hello.hello", { name: "once" });
  const caller = await callerIn(home);
  const server = await openServer(caller.kernel);
  const client = server.client();
  const { signal } = new AbortController();
  const callOnce = async (number: number): Promise<void> => {
    const args = { name: `n${number}` };
    const confirmation = { kind: "flag", yes: false } as const;
    const { payload } = await client.call({ op: "plug.hello.hello", args, confirmation }, { signal });
    if (Bun.deepEquals(payload.data, { greeting: `Hello, n${number}!` })) right++;
  };
  let [next, right] = [0, 0];
  const rss: number[] = [];
  const work = async (until: number): Promise<void> => {
    while (next < until) await callOnce(next++);
  };
  // The first tenth warms everything up; what comes after must not add to it.
  for (const until of [calls / 10, calls / 2, calls]) {
    await Promise.all(Array.from({ length: inFlight }, () => work(until)));
    Bun.gc(true);
    rss.push(Math.round(process.memoryUsage().rss / 2 ** 20));
  }
  const started = caller.started();
  await server.close(1000);
  mkdirSync("dist", { recursive: true });
  writeFileSync(
    "dist/many-calls.json",
    `${JSON.stringify({ calls, inFlight, right, started, rss_mib: rss })}\n`,
  );
  expect([right, started]).toEqual([calls, 1]);
  expect(rss[2] ?? 0).toBeLessThan((rss[1] ?? 0) * 1.2);
}, 120_000);
