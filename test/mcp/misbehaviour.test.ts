import { describe, expect, test } from "bun:test";
import { callTool, connected } from "./connected.ts";

const soon = { "dispatch.call_timeout_ms": 3000 };

describe("misbehaving plugins", () => {
  test("S8 of 200 calls to four plugins only those to the crashing, hanging and flooding ones fail, and nobody waits for them", async () => {
    const plugins = ["hello", "crash-call", "progress", "flood-stdout"];
    await using at = await connected({ plugins, config: soon });
    await at.call("gum.read", { op_id: "hello.hello", args: { name: "warm" } });
    const start = performance.now();
    const times: number[] = [];
    const good = Array.from({ length: 50 }, async (_, n) => {
      const answer = await at.call("gum.read", { op_id: "hello.hello", args: { name: `n${n}` } });
      times.push(performance.now() - start);
      return answer.value;
    });
    const bad = ["plug.crash-call.crash", "plug.progress.wait", "plug.flood-stdout.lines"].flatMap((op_id) =>
      Array.from({ length: 50 }, () => at.call("gum.read", { op_id })),
    );
    expect(await Promise.all(good)).toEqual(
      Array.from({ length: 50 }, (_, n) => ({ success: true, data: { greeting: `Hello, n${n}!` } })),
    );
    // All of them were answered while the hanging calls still hung.
    expect(Math.max(...times)).toBeLessThan(3000);
    const failed = await Promise.all(bad);
    expect(failed.every(({ isError }) => isError)).toBe(true);
    const codes = new Set(failed.map(({ value }) => value.error_code));
    expect(
      [...codes].filter((code) => !/^(SERVICE_DOWN|PLUGIN_TIMEOUT|PLUGIN_QUARANTINED)$/.test(String(code))),
    ).toEqual([]);
    expect((await at.call("gum.read", { op_id: "hello.hello", args: { name: "after" } })).isError).toBe(
      false,
    );
    expect(at.hub.server.counts().running).toBe(0);
  }, 60_000);

  test("S8 thousands of calls at once are answered or refused, and what is refused says so", async () => {
    await using at = await connected({ plugins: ["progress"], config: soon });
    const calls = Array.from({ length: 5000 }, () =>
      callTool(at.client, "gum.read", { op_id: "plug.progress.count" }),
    );
    const answers = await Promise.all(calls);
    const ok = answers.filter(({ isError }) => !isError).length;
    const limited = answers.filter(({ value }) => value.error_code === "RATE_LIMITED").length;
    expect(ok + limited).toBe(5000);
    expect(ok).toBeGreaterThanOrEqual(1000);
    expect(limited).toBeGreaterThan(0);
    expect(at.hub.server.counts()).toMatchObject({ running: 0, sessions: 1 });
  }, 60_000);

  test("S8 content blocks that no client understands become text", async () => {
    const { contentBlocks } = await import("../../src/mcp/content-blocks.ts");
    const image = { type: "image", data: "aGVsbG8=", mimeType: "image/png" };
    const link = { type: "resource_link", uri: "x://y", name: "y" };
    const resource = { type: "resource", resource: { uri: "x://y", text: "z" } };
    expect(contentBlocks([image, link, resource])).toEqual([image, link, resource]);
    expect(
      contentBlocks([{ type: "image", data: "?", mimeType: "image/png" }, { type: "video" }, 7, null]),
    ).toEqual([
      { type: "text", text: '{"type":"image","data":"?","mimeType":"image/png"}' },
      { type: "text", text: '{"type":"video"}' },
      { type: "text", text: "7" },
      { type: "text", text: "null" },
    ]);
  }, 60_000);
});
