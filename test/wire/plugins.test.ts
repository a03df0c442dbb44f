import { afterEach, expect, test } from "bun:test";
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openMcp } from "../../src/wire/mcp.ts";
import { requireDeclaredTools, toolsDigest } from "../../src/wire/tool-digest.ts";
import {
  endAll,
  failureOf,
  host,
  open,
  pluginsFolder,
  start,
  startProgram,
  temporaryFolder,
} from "./start.ts";

afterEach(endAll);

const example = join(import.meta.dir, "..", "..", "examples", "hello");
const soon = { timeoutMs: 3000 };

/** The folders whose executable is bin/<folder>-mcp: the MCP plugins. */
const folders = readdirSync(pluginsFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => existsSync(join(pluginsFolder, name, "bin", `${name}-mcp`)));

test("every plugin of the tests has a manifest that names it and an executable that may be executed", () => {
  expect(folders.length).toBeGreaterThan(30);
  for (const name of folders) {
    const manifest = JSON.parse(readFileSync(join(pluginsFolder, name, "manifest.json"), "utf8"));
    expect([name, manifest.plugin_id, manifest.shape]).toEqual([name, name, "mcp-plugin"]);
    accessSync(join(pluginsFolder, name, manifest.executable), constants.X_OK);
  }
});

for (const name of ["hello", "hello-js", "answers", "many-pages", "broken-tool", "resources", "noisy"]) {
  test(`W7 the plugin ${name} offers what its manifest names, or is refused by name`, async () => {
    const manifest = JSON.parse(readFileSync(join(pluginsFolder, name, "manifest.json"), "utf8"));
    const declared = manifest.advertised_tools.map((tool: { name: string }) => tool.name);
    const description = await (await open(name)).describe();
    expect(() => requireDeclaredTools(name, declared, description)).not.toThrow();
    expect(() => requireDeclaredTools(name, [...declared, "more"], description)).toThrow(
      'does not offer "more"',
    );
  });
}

test("T28 a plugin that describes its tool differently at every start has another digest each time", async () => {
  const home = temporaryFolder();
  const digests = [];
  for (let n = 0; n < 2; n++) {
    const session = await openMcp(host, start("drift", { HOME: home }), { plugin: "drift", version: "1" });
    digests.push(toolsDigest((await session.describe()).tools));
    await session.close();
  }
  expect(digests[0]).not.toBe(digests[1]);
});

test("the example in examples/hello greets, and refuses an empty name with its own code", async () => {
  const plumbing = startProgram(join(example, "bin", "hello-mcp"), []);
  const session = await openMcp(host, plumbing, { plugin: "hello", version: "1" });
  expect(await session.call("hello", { name: "world" }, soon)).toMatchObject({
    text: '{"success":true,"data":{"greeting":"Hello, world!"}}',
  });
  expect(await session.call("hello", { name: "  " }, soon)).toEqual({
    ok: false,
    error: { code: "INVALID_INPUT", message: "name is empty", retryable: false },
  });
  expect((await failureOf(session.call("goodbye", {}, soon))).code).toBe("INVALID_ARGS");
  await session.close();
  expect(await plumbing.exited).toEqual({ code: 0, signal: null });
});

test("the example's manifest is the one of the tests' plugin, so that both stay the same", () => {
  for (const file of ["manifest.json", "bin/hello-mcp"]) {
    expect(readFileSync(join(example, file), "utf8")).toBe(
      readFileSync(join(pluginsFolder, "hello", file), "utf8"),
    );
  }
});
