import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fuzz } from "../test/manifest/fuzz.ts";

test("M2 100,000 random and mutated manifests end in a code or a plugin, quickly and in little memory", async () => {
  const report = await fuzz(100_000, 1_000_000);
  const folder = join(import.meta.dirname, "../dist");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "manifest-fuzz.json"), `${JSON.stringify(report, null, 2)}\n`);
  expect(report.failures).toEqual([]);
  expect(report.slowestMs).toBeLessThan(2000);
  expect(report.rssGrowthMb).toBeLessThan(300);
  expect(report.plugins).toBeGreaterThan(1000);
  expect(Object.keys(report.codes).length).toBeGreaterThan(15);
}, 600_000);
