import { describe, expect, test } from "bun:test";
import { installFrom } from "../kernel/scratch.ts";
import { connected, reopened } from "./connected.ts";

describe("gum's own tools", () => {
  test("S1 the same seven tools are listed whatever is installed, each with title, annotations and both schemas", async () => {
    await using none = await connected({ plugins: [] });
    const { tools } = await none.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "gum.search",
      "gum.describe_op",
      "gum.read",
      "gum.write",
      "gum.destructive",
      "gum.plugins",
      "gum.canary",
    ]);
    for (const { title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([typeof title, typeof description, inputSchema.type, outputSchema?.type]).toEqual([
        "string",
        "string",
        "object",
        "object",
      ]);
      expect(annotations?.readOnlyHint).toBeBoolean();
    }
    const hints = tools.map(({ annotations }) => [annotations?.readOnlyHint, annotations?.destructiveHint]);
    expect(hints).toEqual([
      [true, undefined],
      [true, undefined],
      [true, undefined],
      [false, false],
      [false, true],
      [true, undefined],
      [false, false],
    ]);
    await using some = await connected({ plugins: ["hello", "answers"] });
    expect((await some.client.listTools()).tools).toEqual(tools);
  });

  test("S1 an agent searches, describes and calls", async () => {
    await using at = await connected();
    const { value: found } = await at.call("gum.search", { query: "greet somebody by name", limit: 3 });
    expect(found).toMatchObject({ hits: [{ op_id: "hello.hello", plugin: "hello", risk_class: "read" }] });
    expect((await at.call("gum.search", { query: "greet", risk: "write" })).value).toEqual({ hits: [] });
    const { value: described } = await at.call("gum.describe_op", { op_id: "hello.hello" });
    expect(described).toMatchObject({
      status: "active",
      risk_class: "read",
      auth_strategy: "none",
      request_ref: "hello.hello.request",
      request_schema: { type: "object", required: ["name"] },
      skeleton: { name: "<text>" },
    });
    const called = await at.call("gum.read", { op_id: "hello.hello", args: { name: "Ada" } });
    expect(called).toEqual({
      isError: false,
      value: { success: true, data: { greeting: "Hello, Ada!" } },
      text: '{"success":true,"data":{"greeting":"Hello, Ada!"}}',
    });
    expect((await at.call("gum.plugins")).value).toEqual({
      plugins: [{ id: "hello", version: "0.1.0", name: "Hello", status: "active" }],
    });
    expect((await at.call("gum.canary", { plugin: "hello", live: true })).value).toMatchObject({
      plugin: "hello",
      ok: true,
      live: true,
      status: "active",
    });
  });

  test("S7 a failure is a result with isError and the envelope as value and as text", async () => {
    await using at = await connected({ plugins: ["hello", "answers"] });
    const wrong = await at.call("gum.read", { op_id: "plug.hello.hello", args: { name: 3 } });
    expect(wrong.isError).toBe(true);
    expect(wrong.value).toMatchObject({
      success: false,
      error_code: "INVALID_ARGS",
      retryable: false,
      plugin: "hello",
      op_id: "plug.hello.hello",
      details: { violations: [{ pointer: "/name", message: "must be string" }] },
    });
    expect(JSON.parse(wrong.text)).toEqual(wrong.value);
    const codes: [string, Record<string, unknown>, string][] = [
      ["gum.write", { op_id: "hello.hello", args: { name: "x" } }, "RISK_TOOL_MISMATCH"],
      ["gum.read", { op_id: "hello.nothing" }, "OP_NOT_FOUND"],
      ["gum.read", { op_id: "plug.hullo.hello" }, "PLUGIN_NOT_FOUND"],
      ["gum.read", { op_id: "hello.hello", variant_id: "x" }, "VARIANT_NOT_FOUND"],
      ["gum.read", {}, "INVALID_ARGS"],
      ["gum.read", { op_id: "hello.hello", args: [] }, "INVALID_ARGS"],
      ["gum.read", { op_id: "hello.hello", other: 1 }, "INVALID_ARGS"],
      ["gum.search", { query: "x", limit: 0 }, "INVALID_ARGS"],
      ["gum.search", { query: "x", risk: "none" }, "INVALID_ARGS"],
      ["gum.describe_op", { op_id: 3 }, "INVALID_ARGS"],
      ["gum.canary", { plugin: "nobody" }, "PLUGIN_NOT_FOUND"],
      ["gum.read", { op_id: "plug.answers.error" }, "RATE_LIMITED"],
    ];
    for (const [name, args, code] of codes) {
      const { isError, value } = await at.call(name, args);
      expect([name, args, isError, value.error_code]).toEqual([name, args, true, code]);
    }
  });

  test("S7 what is no tool, or no request of MCP, is an error of the protocol", async () => {
    await using at = await connected();
    await expect(at.client.callTool({ name: "gum.nothing" })).rejects.toMatchObject({ code: -32602 });
    await expect(
      at.client.callTool({ name: "plug.hello.hello", arguments: { name: "x" } }),
    ).rejects.toMatchObject({
      code: -32602,
    });
    await expect(at.client.subscribeResource({ uri: "x://y" })).rejects.toMatchObject({ code: -32602 });
  });

  test("D4 a destructive call needs the token that its first half returned, and only in this process", async () => {
    await using at = await connected({ plugins: [] });
    const folder = at.home.plugin("hello", (manifest) => {
      const [tool] = manifest.advertised_tools as Record<string, unknown>[];
      if (tool !== undefined) tool.risk_class = "destructive";
      manifest.requirements = {};
    });
    await installFrom(at.kernel, folder);
    await using next = await reopened(at);
    const first = await next.call("gum.destructive", { op_id: "hello.hello", args: { name: "Ada" } });
    expect(first.value).toMatchObject({ error_code: "REQUIRES_CONFIRMATION" });
    const { token } = first.value.details as { token: string };
    const other = await next.call("gum.destructive", { op_id: "hello.hello", args: { name: "Eve" }, token });
    expect(other.value).toMatchObject({
      error_code: "CONFIRMATION_TOKEN_INVALID",
      details: { reason: "altered", altered: "arguments" },
    });
    const second = await next.call("gum.destructive", { op_id: "hello.hello", args: { name: "Ada" }, token });
    expect(second.value).toEqual({ success: true, data: { greeting: "Hello, Ada!" } });
    const again = await next.call("gum.destructive", { op_id: "hello.hello", args: { name: "Ada" }, token });
    expect(again.value).toMatchObject({ details: { reason: "replayed" } });
    await using another = await reopened(at);
    const fresh = await next.call("gum.destructive", { op_id: "hello.hello", args: { name: "Ada" } });
    const stolen = (fresh.value.details as { token: string }).token;
    expect(
      (await another.call("gum.destructive", { op_id: "hello.hello", args: { name: "Ada" }, token: stolen }))
        .value,
    ).toMatchObject({ error_code: "CONFIRMATION_TOKEN_INVALID", details: { reason: "other-process" } });
  });
});
