import { afterEach, expect, test } from "bun:test";
import { openMcp } from "../../src/wire/mcp.ts";
import { endAll, failureOf, host, open, start } from "./start.ts";

afterEach(endAll);

const megabyte = 1024 * 1024;

/** How many bytes the resident memory of this process grew at most while the work was done. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(sampler);
  }
  return Math.max(most, process.memoryUsage().rss) - before;
}

test("W2 a flood of notifications neither hangs nor bloats the host", async () => {
  const session = await open("flood-stdout", { waits: { stdinMs: 50, terminateMs: 2000 } });
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 10);
  const grown = await growth(async () => {
    const error = await failureOf(session.call("lines", {}, { timeoutMs: 1500 }));
    expect(error.code).toBe("PLUGIN_TIMEOUT");
  });
  clearInterval(ticker);
  expect(ticks).toBeGreaterThan(20);
  expect(grown).toBeLessThan(100 * megabyte);
  await session.close();
}, 10_000);

test("W2 a line without an end is cut off at the limit", async () => {
  const session = await open("flood-stdout", { waits: { stdinMs: 50, terminateMs: 2000 } });
  const grown = await growth(async () => {
    const error = await failureOf(session.call("bytes", {}, { timeoutMs: 8000 }));
    expect(error.code).toBe("SERVICE_DOWN");
    expect(error.info.details?.cause).toBe("message_malformed");
  });
  expect(grown).toBeLessThan(100 * megabyte);
}, 10_000);

test("W1 a flood of stderr is read, forgotten but for its end, and disturbs no call", async () => {
  const session = await open("flood-stderr");
  const grown = await growth(async () => {
    for (let n = 0; n < 50; n++) {
      expect(await session.call("hello", {}, { timeoutMs: 5000 })).toMatchObject({ ok: true });
    }
  });
  expect(grown).toBeLessThan(100 * megabyte);
  const kept = session.stderrTail();
  expect(kept.length).toBeGreaterThan(60_000);
  expect(kept.length).toBeLessThanOrEqual(65_536);
  expect(kept).toContain("noise noise");
  await session.close();
}, 20_000);

test("W2 a plugin that asks without end and reads no answer loses the connection", async () => {
  const plumbing = start("flood-requests");
  const session = await openMcp(host, plumbing, {
    plugin: "x",
    version: "1",
    limits: { maxQueueBytes: 2 * megabyte },
  });
  const grown = await growth(async () => {
    const error = await failureOf(session.call("hello", {}, { timeoutMs: 8000 }));
    expect(error.info.details?.cause).toBe("stopped_reading");
  });
  expect(grown).toBeLessThan(100 * megabyte);
  expect((await plumbing.exited).signal).toBe("SIGKILL");
}, 10_000);
