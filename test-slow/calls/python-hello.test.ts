// The author guide's Python plugin on both generations of the official SDK. Needs the package index.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "../../src/kernel/call.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { installFrom, scratch } from "../../test/kernel/scratch.ts";
import { refusalOf } from "../../test/steps/run-step.ts";
import { lockOf, network, project } from "../source/author-guide.ts";

const deadlineMs = 300_000;

const call = (kernel: Kernel, name: string) =>
  callTool(kernel, { op: "plug.hello.hello", args: { name }, confirmation: { kind: "flag", yes: false } });

/** What the guide promises of its plugin. */
async function expectHello(kernel: Kernel): Promise<void> {
  expect((await call(kernel, "world")).payload).toEqual({
    success: true,
    data: { greeting: "Hello, world!" },
  });
  const empty = await refusalOf(() => call(kernel, ""));
  expect([empty.code, empty.info.sourceErrorCode, empty.info.retryable]).toEqual([
    "INVALID_ARGS",
    "INVALID_INPUT",
    false,
  ]);
}

test(
  "W9 the guide's plugin, pinned below mcp 2, greets and turns an empty name into INVALID_ARGS",
  async () => {
    using home = scratch(network);
    const lock = await lockOf(home, "mcp>=1.0.0,<2");
    const kernel = await home.kernel();
    const folder = project(join(home.folder, "p"), { "requirements.lock": lock });
    expect((await installFrom(kernel, folder)).quarantine).toBeNull();
    await expectHello(kernel);
  },
  deadlineMs,
);

test(
  "W27 the same plugin left unpinned gets an SDK without the module it imports, and that module is named",
  async () => {
    using home = scratch(network);
    const pyproject = readFileSync(join(project(join(home.folder, "pinned")), "pyproject.toml"), "utf8");
    const unpinned = pyproject.replace("mcp>=1.0.0,<2", "mcp>=1.0.0");
    const lock = await lockOf(home, "mcp>=1.0.0");
    expect(lock).toMatch(/^mcp==(?:[2-9]|\d\d)/m);
    const kernel = await home.kernel();
    const folder = project(join(home.folder, "p"), { "pyproject.toml": unpinned, "requirements.lock": lock });
    const answer = await installFrom(kernel, folder);
    expect(answer.status).toBe("quarantined");
    expect(answer.quarantine).toEqual({
      code: "CANARY_FAILED",
      reason:
        'The plugin "hello" failed its trial: The plugin "hello" could not find the module "mcp.server.fastmcp".',
    });
    const refused = await refusalOf(() => call(kernel, "world"));
    expect(refused.code).toBe("PLUGIN_QUARANTINED");
  },
  deadlineMs,
);

test(
  "W6 the same plugin on the current Python SDK is installed, and answers alike",
  async () => {
    using home = scratch(network);
    const lock = await lockOf(home, "mcp>=2");
    const own = project(join(home.folder, "old"));
    const source = "src/hello_plugin/__init__.py";
    const program = readFileSync(join(own, source), "utf8")
      .replace("from mcp.server.fastmcp import FastMCP", "from mcp.server.mcpserver import MCPServer")
      .replace('FastMCP("Hello")', 'MCPServer("Hello")');
    const pyproject = readFileSync(join(own, "pyproject.toml"), "utf8").replace("mcp>=1.0.0,<2", "mcp>=2");
    const kernel = await home.kernel();
    const folder = project(join(home.folder, "p"), {
      [source]: program,
      "pyproject.toml": pyproject,
      "requirements.lock": lock,
    });
    expect((await installFrom(kernel, folder)).quarantine).toBeNull();
    await expectHello(kernel);
  },
  deadlineMs,
);
