import { expect, test } from "bun:test";
import { fuzz } from "./fuzz.ts";

test("M2 2,000 random and mutated manifests end in a code of the table or in a plugin", async () => {
  const report = await fuzz(2000, 1);
  expect(report.failures).toEqual([]);
  expect(report.slowestMs).toBeLessThan(2000);
  // The cases reach every kind of end, so that the run proves something.
  expect(report.plugins).toBeGreaterThan(20);
  expect(Object.keys(report.codes).length).toBeGreaterThan(8);
}, 30_000);
