import { describe, expect, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { callTool, connected } from "./connected.ts";

describe("--expose-tools", () => {
  test("S1 each plugin tool is a tool of its own with its true schemas and annotations", async () => {
    await using at = await connected({ exposeTools: true });
    const { tools } = await at.client.listTools();
    expect(tools.length).toBe(8);
    expect(tools[7]).toEqual({
      name: "plug.hello.hello",
      description: "Return a greeting for the given name",
      inputSchema: {
        type: "object",
        properties: { name: { type: "string", description: "Whom to greet" } },
        required: ["name"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    });
    expect(at.client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
  });

  test("S1 a plugin's result arrives as it made it, and its errors too", async () => {
    await using at = await connected({ plugins: ["answers"], exposeTools: true });
    const call = (tool: string) => at.client.callTool({ name: `plug.answers.${tool}` });
    expect(await call("plain")).toEqual({ content: [{ type: "text", text: "just words" }] });
    expect(await call("error")).toEqual({
      content: [
        {
          type: "text",
          text: '{"success": false, "error_code": "RATE_LIMIT", "error": "slow down", "retryable": true, "retry_after_ms": 1500}',
        },
      ],
      isError: true,
    });
    await expect(call("rpc-error")).rejects.toMatchObject({
      code: -32000,
      message: "MCP error -32000: the back end is away",
    });
    const none = await callTool(at.client, "plug.answers.none", {});
    expect([none.isError, none.value.error_code]).toEqual([true, "OP_NOT_FOUND"]);
  });

  test("S1 what a plugin asks back reaches the client that called it, and nobody else", async () => {
    await using at = await connected({
      plugins: ["asks-back"],
      exposeTools: true,
      capabilities: { sampling: {}, elicitation: {}, roots: {} },
    });
    const other = await at.connect({ sampling: {}, elicitation: {}, roots: {} });
    const asked: string[] = [];
    for (const [client, who] of [
      [at.client, "one"],
      [other, "two"],
    ] as const) {
      client.setRequestHandler(ListRootsRequestSchema, async () => {
        asked.push(`${who} roots`);
        return { roots: [{ uri: `file:///${who}` }] };
      });
      client.setRequestHandler(CreateMessageRequestSchema, async () => {
        asked.push(`${who} sampling`);
        return { model: who, role: "assistant", content: { type: "text", text: "yes" } };
      });
      client.setRequestHandler(ElicitRequestSchema, async () => {
        asked.push(`${who} elicitation`);
        return { action: "decline" };
      });
    }
    const told = async (client: Client, tool: string) =>
      JSON.parse((await callTool(client, `plug.asks-back.${tool}`, {})).text).data;
    expect(await told(other, "roots")).toEqual({ roots: [{ uri: "file:///two" }] });
    expect(await told(other, "sample")).toEqual({
      model: "two",
      role: "assistant",
      content: { type: "text", text: "yes" },
    });
    expect(await told(other, "elicit")).toEqual({ action: "decline" });
    expect(await told(at.client, "roots")).toEqual({ roots: [{ uri: "file:///one" }] });
    expect(asked).toEqual(["two roots", "two sampling", "two elicitation", "one roots"]);
    const unable = await at.connect();
    expect(await told(unable, "roots")).toEqual({ roots: [] });
    expect(await told(unable, "elicit")).toEqual({ action: "cancel" });
    expect(await told(unable, "sample")).toMatchObject({ code: -32601 });
  });

  test("W6 a subscription is forwarded, and its updates come under gum's address", async () => {
    await using at = await connected({ plugins: ["asks-back"], exposeTools: true });
    const uri = "gum://plugin/asks-back/resource/note://one";
    const updated = Promise.withResolvers<unknown>();
    at.client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === "notifications/resources/updated") updated.resolve(params?.uri);
    };
    await at.client.subscribeResource({ uri });
    await at.client.callTool({ name: "plug.asks-back.change" });
    expect(await updated.promise).toBe(uri);
    const other = await at.connect();
    await expect(
      other.subscribeResource({ uri: "gum://plugin/nobody/resource/x://y" }),
    ).rejects.toMatchObject({
      code: -32002,
    });
  });

  test("W6 without --expose-tools a plugin gets gum's own answers", async () => {
    await using at = await connected({
      plugins: ["noisy"],
      capabilities: { sampling: {}, elicitation: {}, roots: {} },
    });
    expect((await at.call("gum.read", { op_id: "plug.noisy.hello" })).value.data).toEqual({
      ping: {},
      "roots/list": { roots: [] },
      "sampling/createMessage": -32601,
      "elicitation/create": { action: "cancel" },
      "x/unknown": -32601,
    });
  });
});

describe("beside answers", () => {
  test("D9 progress of a plugin reaches the caller that gave a token", async () => {
    await using at = await connected({ plugins: ["progress"] });
    const told: unknown[] = [];
    const args = { op_id: "plug.progress.count", args: { steps: 3 } };
    await at.client.callTool({ name: "gum.read", arguments: args }, undefined, {
      onprogress: (progress) => told.push(progress),
    });
    expect(told).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
    const silent = await at.call("gum.read", args);
    expect(silent.value.data).toBe(false);
  });

  test("D9 a cancelled call is cancelled in the plugin", async () => {
    await using at = await connected({ plugins: ["progress"] });
    const control = new AbortController();
    const waiting = at.client.callTool(
      { name: "gum.read", arguments: { op_id: "plug.progress.wait", args: { steps: 1 } } },
      undefined,
      { signal: control.signal, onprogress: () => control.abort() },
    );
    await expect(waiting).rejects.toThrow();
    for (;;) {
      const { value } = await at.call("gum.read", { op_id: "plug.progress.cancelled" });
      if (Array.isArray(value.data) && value.data.length === 1) break;
    }
    expect(at.hub.server.counts().running).toBe(0);
  });

  test("S7 log messages go to clients that asked for them, by level", async () => {
    await using at = await connected({ plugins: ["asks-back"] });
    const messages: unknown[] = [];
    at.client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === "notifications/message") messages.push([params?.logger, params?.level]);
    };
    const log = () => at.call("gum.read", { op_id: "plug.asks-back.log" });
    await log();
    expect(messages).toEqual([]);
    await at.client.setLoggingLevel("error");
    await log();
    expect(messages).toEqual([["plug.asks-back", "error"]]);
    await at.client.setLoggingLevel("info");
    await log();
    expect(messages.slice(1)).toEqual([
      ["plug.asks-back", "info"],
      ["plug.asks-back", "error"],
    ]);
  });
});
