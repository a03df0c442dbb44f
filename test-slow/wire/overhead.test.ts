import { expect, test } from "bun:test";
import { jsonlCall } from "../../src/dev/bench/b5-jsonl.ts";

test("W15 a jsonl call on a live process costs at most 100 µs more than the pipe itself", async () => {
  const { figure, own } = await jsonlCall.measure();
  expect(own.runs).toBe(2000);
  expect(figure).toBeLessThan(100);
}, 60_000);
