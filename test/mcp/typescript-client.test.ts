import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { installFrom, scratch } from "../kernel/scratch.ts";
import { callTool } from "./connected.ts";

const main = resolve(import.meta.dir, "../../src/main.ts");

test("S10 the TypeScript SDK's client starts the server, lists, reads, fills in, completes, calls and ends it", async () => {
  using home = scratch();
  const kernel = await home.kernel();
  for (const name of ["hello", "resources"]) await installFrom(kernel, home.plugin(name));
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { HOME: home.host.machine.home, PATH: process.env.PATH ?? "" };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp", "--stdio"],
    env,
  });
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: "gum", title: "gum" });
  expect(client.getServerCapabilities()).toEqual({
    tools: {},
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  });
  expect((await client.listTools()).tools).toHaveLength(7);
  const { value } = await callTool(client, "gum.read", { op_id: "hello.hello", args: { name: "Ada" } });
  expect(value).toEqual({ success: true, data: { greeting: "Hello, Ada!" } });
  expect((await client.listResources()).resources).toHaveLength(6);
  const { contents } = await client.readResource({ uri: "gum://plugin/resources/resource/note://one" });
  expect(contents).toMatchObject([{ text: "first note" }]);
  const { messages } = await client.getPrompt({ name: "plug.resources.greet", arguments: { name: "Ada" } });
  expect(messages).toMatchObject([{ content: { text: "Greet Ada" } }]);
  const { completion } = await client.complete({
    ref: { type: "ref/resource", uri: "gum://op/{id}" },
    argument: { name: "id", value: "hello.h" },
  });
  expect(completion.values).toEqual(["hello.hello"]);
  await client.ping();
  await client.close();
  expect(transport.pid).toBeNull();
}, 30_000);
