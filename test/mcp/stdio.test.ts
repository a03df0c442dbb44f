import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { installFrom, scratch } from "../kernel/scratch.ts";
import { fuzzLines } from "./fuzz-lines.ts";
import { processesWith, startServer } from "./process.ts";

const callHello = { name: "gum.read", arguments: { op_id: "hello.hello", args: { name: "Ada" } } };
const callWait = { name: "gum.read", arguments: { op_id: "plug.progress.wait", args: { steps: 1 } } };

async function homeWith(...plugins: string[]) {
  const home = scratch();
  const kernel = await home.kernel();
  for (const plugin of plugins) await installFrom(kernel, home.plugin(plugin));
  return home;
}

/** The plugin's processes run from its install root, which no other test has. */
const runningIn = (folder: string) => processesWith(join(folder, "home/.local/share/gum/default/plugins"));
const leasesIn = (folder: string) => readdirSync(join(folder, "leases"));

describe("gum mcp --stdio", () => {
  test("S9 the end of input ends the server and its plugins, and nothing stays behind", async () => {
    using home = await homeWith("hello");
    await using server = startServer(home);
    await server.initialize();
    expect(await server.ask("tools/call", callHello)).toMatchObject({
      result: { structuredContent: { success: true, data: { greeting: "Hello, Ada!" } } },
    });
    expect(runningIn(home.folder).length).toBeGreaterThan(0);
    expect(leasesIn(home.dataDir).length).toBe(1);
    server.child.stdin?.end();
    expect(await server.exited).toBe(0);
    expect(runningIn(home.folder)).toEqual([]);
    expect(leasesIn(home.dataDir)).toEqual([]);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`S9 ${signal} gives running calls two seconds, then everything ends`, async () => {
      using home = await homeWith("progress");
      await using server = startServer(home);
      await server.initialize();
      const quick = await server.ask("tools/call", {
        ...callWait,
        arguments: { op_id: "plug.progress.count" },
      });
      expect(quick).toMatchObject({ result: { structuredContent: { success: true } } });
      const hanging = server.ask("tools/call", callWait);
      await server.ask("ping");
      const start = performance.now();
      server.child.kill(signal);
      expect(await server.exited).toBe(0);
      const took = performance.now() - start;
      expect(took).toBeGreaterThan(1900);
      expect(took).toBeLessThan(9000);
      const ended = await hanging.catch((error: Error) => error);
      if (!(ended instanceof Error)) expect(ended).toMatchObject({ result: { isError: true } });
      expect(runningIn(home.folder)).toEqual([]);
      expect(leasesIn(home.dataDir)).toEqual([]);
    });
  }

  test("S9 a call that ends within the two seconds is still answered after the end of input", async () => {
    using home = await homeWith("hello");
    await using server = startServer(home);
    await server.initialize();
    const answer = server.ask("tools/call", callHello);
    server.child.stdin?.end();
    expect(await answer).toMatchObject({ result: { structuredContent: { success: true } } });
    expect(await server.exited).toBe(0);
  });

  test("S7 stdout carries nothing but MCP, also with every log line on", async () => {
    using home = await homeWith("hello", "noisy");
    await using server = startServer(home, ["--stdio", "--log-level", "debug"]);
    await server.initialize();
    await server.ask("tools/call", callHello);
    await server.ask("tools/call", { name: "gum.read", arguments: { op_id: "plug.noisy.hello" } });
    server.child.stdin?.end();
    expect(await server.exited).toBe(0);
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(server.lines.length).toBeGreaterThanOrEqual(3);
  });

  test("S8 two thousand malformed and hostile messages neither end the server nor break stdout", async () => {
    using home = await homeWith("hello");
    await using server = startServer(home);
    await server.initialize();
    for (const line of fuzzLines(2000, 20261118)) server.write(line);
    server.write("\n");
    expect(await server.ask("tools/call", callHello)).toMatchObject({
      result: { structuredContent: { success: true } },
    });
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });
});
