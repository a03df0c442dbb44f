import { expect, test } from "bun:test";
import { installFrom, scratch } from "../../test/kernel/scratch.ts";
import { fuzzLines } from "../../test/mcp/fuzz-lines.ts";
import { startServer } from "../../test/mcp/process.ts";

test("S8 fifty thousand malformed and hostile messages neither end the server nor break stdout", async () => {
  using home = scratch();
  await installFrom(await home.kernel(), home.plugin("hello"));
  await using server = startServer(home, ["--stdio"], { deadlineMs: 240_000 });
  await server.initialize();
  let sent = 0;
  for (const line of fuzzLines(50_000, 8)) {
    server.write(line);
    if (++sent % 500 === 0) await server.ask("ping"); // as fast as it is read, and no faster
  }
  server.write("\n");
  const call = { name: "gum.read", arguments: { op_id: "hello.hello", args: { name: "Ada" } } };
  expect(await server.ask("tools/call", call)).toMatchObject({
    result: { structuredContent: { success: true } },
  });
  for (const line of server.lines) {
    if (!line.startsWith('{"') || JSON.parse(line).jsonrpc !== "2.0")
      throw new Error(`not MCP: ${line.slice(0, 200)}`);
  }
  server.child.stdin?.end();
  expect(await server.exited).toBe(0);
}, 300_000);
