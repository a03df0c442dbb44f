import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { type Bench, ended, eventually, isRunning, makeBench } from "../../test/sandbox/bench.ts";

let bench: Bench;
beforeAll(() => {
  bench = makeBench();
});
afterAll(() => bench.remove());

const descriptors = () => readdirSync("/proc/self/fd").length;

/** Children of this process that have ended and were not collected. */
async function defunct(): Promise<number> {
  let count = 0;
  for (const name of readdirSync("/proc")) {
    const stat = await Bun.file(`/proc/${name}/stat`)
      .text()
      .catch(() => "");
    if (stat.includes(`) Z ${process.pid} `)) count++;
  }
  return count;
}

test("T24 a thousand launches leave no process, descriptor, file or memory behind", async () => {
  const place = `${bench.base}/place`;
  mkdirSync(place);
  const host = { ...bench.host, env: { XDG_CACHE_HOME: place } };
  const policy = {};
  const launchOne = async (index: number) => {
    const script = index % 2 === 0 ? "echo fine" : "sleep 1000 & setsid sleep 1000 & echo fine";
    const { out } = await ended(await bench.start(["/bin/sh", "-c", script], { host, policy }));
    expect(out).toBe("fine\n");
  };
  for (let index = 0; index < 50; index++) await launchOne(index);
  Bun.gc(true);
  const [before, memory] = [descriptors(), process.memoryUsage().rss];
  for (let index = 0; index < 1000; index += 4) {
    await Promise.all([0, 1, 2, 3].map((offset) => launchOne(index + offset)));
  }
  expect(await eventually(async () => descriptors() <= before + 2)).toBe(true);
  expect(await eventually(async () => !(await isRunning(host, place)))).toBe(true);
  expect(await eventually(async () => (await defunct()) === 0)).toBe(true);
  expect(readdirSync(`${place}/gum/run`)).toEqual([]);
  Bun.gc(true);
  expect(process.memoryUsage().rss).toBeLessThan(memory * 1.5 + 32 * 2 ** 20);
}, 300_000);
