import { expect, test } from "bun:test";
import { join } from "node:path";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { publishTogether } from "./concurrency.ts";
import { tempFolder, testHost } from "./support.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("R11 eight processes with twenty publishes each all succeed one after the other, and nothing is lost", async () => {
  using folder = tempFolder();
  const result = await publishTogether(join(folder.path, "data"), 8, 20, 60_000);
  expect(result.failures).toEqual([]);
  expect(result.numbers).toEqual(range(1, 160));
  expect(result.folders).toEqual(range(1, 160));
  expect(result.generation).toBe(160);
  const names = range(0, 7).flatMap((who) => range(0, 19).map((at) => `p${who}-${at}`));
  expect(result.plugins).toEqual(names.sort());
  for (const numbers of result.each) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
}, 90_000);

test("R7 a reader among publishing processes always sees three files of one generation", async () => {
  using folder = tempFolder();
  const dataDir = join(folder.path, "data");
  const host = testHost();
  let done = false;
  const publishing = publishTogether(dataDir, 2, 15, 60_000).finally(() => {
    done = true;
  });
  const mixed: unknown[] = [];
  let reads = 0;
  let last = 0;
  while (!done) {
    const { catalog, lock, state } = await readRegistry(host, { name: "test", dataDir });
    const stamps = new Set(
      [catalog, lock, state].map((file) => `${file.install_generation}-${file.install_txid}`),
    );
    const whole = stamps.size === 1 && catalog.variants.length === state.install_generation;
    if (!whole || state.install_generation < last) mixed.push([...stamps], last);
    last = state.install_generation;
    reads++;
    await host.clock.sleep(1);
  }
  expect((await publishing).failures).toEqual([]);
  expect(mixed).toEqual([]);
  expect(reads).toBeGreaterThan(10);
  expect(host.warnings).toEqual([]);
}, 90_000);
