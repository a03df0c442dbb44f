import { afterEach, expect, test } from "bun:test";
import { openMcp } from "../../src/wire/mcp.ts";
import { RpcError } from "../../src/wire/mcp-link.ts";
import { endAll, failureOf, host, open, start, startProgram, temporaryFolder } from "./start.ts";

afterEach(endAll);

const soon = { timeoutMs: 3000 };

test("W6 a plugin is initialized with the newest protocol version, listed and called", async () => {
  const session = await open("hello");
  expect(session.facts.protocolVersion).toBe("2025-11-25");
  const { server, tools, rejected } = await session.describe();
  expect(server).toEqual({ name: "hello", version: "0.1.0" });
  expect(tools.map((tool) => tool.name)).toEqual(["hello"]);
  expect(rejected).toEqual([]);
  expect(await session.call("hello", { name: "world" }, soon)).toEqual({
    ok: true,
    payload: { success: true, data: { greeting: "Hello, world!" } },
    text: '{"success":true,"data":{"greeting":"Hello, world!"}}',
  });
  await session.close();
  expect(await session.over).toBeUndefined();
});

test("W6 a plugin in JavaScript is served the same way", async () => {
  const session = await open("hello-js");
  expect(await session.call("hello", { name: "node" }, soon)).toMatchObject({
    ok: true,
    payload: { success: true, data: { greeting: "Hello, node!" } },
  });
  await session.close();
});

test("W6 a server of an older protocol version works", async () => {
  const session = await open("old-version");
  expect(session.facts.protocolVersion).toBe("2024-11-05");
  expect(await session.call("hello", {}, soon)).toMatchObject({ ok: true });
});

test("W6 a server that refuses the newest version is asked again with one that it names", async () => {
  const session = await open("picky-version");
  expect(session.facts.protocolVersion).toBe("2025-03-26");
});

test("W6 an unknown protocol version is refused by name", async () => {
  const error = await failureOf(open("wrong-version"));
  expect(error.code).toBe("SERVICE_DOWN");
  expect(error.message).toBe(
    'The plugin "wrong-version" answered initialize with protocol version "1999-01-01".',
  );
  expect(error.info.details?.cause).toBe("protocol_version");
});

test("W6 tools are gathered from all pages", async () => {
  const { tools } = await (await open("many-pages")).describe();
  expect(tools.length).toBe(30);
  expect(tools.at(-1)?.name).toBe("tool29");
});

test("W6 pages that do not end are a failure with a cause", async () => {
  const session = await open("endless-pages");
  const error = await failureOf(session.describe());
  expect(error.code).toBe("SERVICE_DOWN");
  expect(error.info.details?.cause).toBe("endless_list");
});

test("W6 a broken tool is rejected by itself and the rest of the list is kept", async () => {
  const { tools, rejected } = await (await open("broken-tool")).describe();
  expect(tools).toEqual([{ name: "good", description: "Works", inputSchema: { type: "object" } }]);
  expect(rejected).toEqual([
    { name: "no-schema", reason: "inputSchema is not an object" },
    { name: "bad-schema", reason: "inputSchema is not an object" },
    { name: "good", reason: "the name is listed twice" },
    { name: "bad-output", reason: "outputSchema is not an object" },
    { name: "#6", reason: "it has no name" },
    { name: "#7", reason: "it is not an object" },
  ]);
});

test("W6 the capabilities that gum announces are one fixed set", async () => {
  const heard = temporaryFolder();
  const echo = `import sys,json
line = sys.stdin.readline()
open("${heard}/first", "w").write(line)
id = json.loads(line)["id"]
print(json.dumps({"jsonrpc":"2.0","id":id,"result":{"protocolVersion":"2025-06-18"}}), flush=True)
sys.stdin.read()`;
  const session = await openMcp(host, startProgram("/usr/bin/python3", ["-c", echo]), {
    plugin: "x",
    version: "9.9.9",
  });
  const { params } = JSON.parse(await Bun.file(`${heard}/first`).text());
  expect(params).toEqual({
    protocolVersion: "2025-11-25",
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
    clientInfo: { name: "gum", version: "9.9.9" },
  });
  expect(session.facts).toEqual({
    protocolVersion: "2025-06-18",
    server: undefined,
    capabilities: {},
    instructions: undefined,
  });
});

test("W6 notifications of every kind and requests of the plugin do not disturb a call", async () => {
  const session = await open("noisy");
  const answer = await session.call("hello", {}, soon);
  expect(answer).toMatchObject({
    payload: {
      data: {
        ping: {},
        "roots/list": { roots: [] },
        "elicitation/create": { action: "cancel" },
        "sampling/createMessage": -32601,
        "x/unknown": -32601,
      },
    },
  });
});

test("W6 requests and notifications of the plugin reach the peer behind the call", async () => {
  const methods = new Set<string>();
  const session = await open("noisy", {
    peer: {
      request: async (method) => ({ from: method }),
      notification: (method) => methods.add(method),
    },
  });
  const answer = await session.call("hello", {}, soon);
  expect(answer).toMatchObject({
    payload: {
      data: {
        "roots/list": { from: "roots/list" },
        "elicitation/create": { from: "elicitation/create" },
        "sampling/createMessage": { from: "sampling/createMessage" },
        "x/unknown": -32601,
      },
    },
  });
  expect([...methods].sort()).toEqual([
    "notifications/message",
    "notifications/resources/updated",
    "notifications/tools/list_changed",
    "notifications/x-unknown",
  ]);
});

test("W6 resources, prompts and ping are reached, and a plugin's error keeps its code", async () => {
  const session = await open("resources");
  expect(session.facts.instructions).toBe("Read note://one first.");
  expect(await session.listResources(soon)).toEqual([
    { uri: "note://one", name: "one" },
    { uri: "note://two", name: "two" },
  ]);
  expect(await session.listResourceTemplates(soon)).toEqual([]);
  expect(await session.readResource("note://one", soon)).toEqual({
    contents: [{ uri: "note://one", mimeType: "text/plain", text: "first note" }],
  });
  const refused = await session.readResource("note://none", soon).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RpcError);
  expect(refused).toMatchObject({ code: -32002, data: { uri: "note://none" } });
  expect(await session.listPrompts(soon)).toEqual([{ name: "greet" }]);
  expect(await session.getPrompt("greet", { name: "Ann" }, soon)).toEqual({
    messages: [{ role: "user", content: { type: "text", text: "Greet Ann" } }],
  });
  await session.ping(soon);
});

test("W6 a batch of messages on one line is read", async () => {
  const session = await open("bad-bytes");
  expect(await session.call("batch", {}, soon)).toEqual({ ok: true, payload: { success: true, data: "ok" } });
});

test("W10 several calls are in flight at once and each gets its own answer", async () => {
  const session = await open("late-answer");
  const slow = session.call("slow", {}, soon);
  const fast = session.call("fast", {}, soon);
  const [first, second] = await Promise.all([slow, fast]);
  expect(first).toMatchObject({ payload: { data: "late 1" } });
  expect(second).toMatchObject({ payload: { data: "fast 2" } });
});

test("D9 progress of a call is reported, and only to those who ask for it", async () => {
  const session = await open("progress");
  const seen: unknown[] = [];
  const answer = await session.call(
    "count",
    { steps: 3 },
    { ...soon, onProgress: (progress) => seen.push(progress) },
  );
  expect(answer).toMatchObject({ payload: { data: true } });
  expect(seen).toEqual([
    { progress: 1, total: 3, message: "step 1" },
    { progress: 2, total: 3, message: "step 2" },
    { progress: 3, total: 3, message: "step 3" },
  ]);
  expect(await session.call("count", { steps: 3 }, soon)).toMatchObject({ payload: { data: false } });
});

test("D9 a caller that cancels cancels the plugin's call and gets its own reason back", async () => {
  const session = await open("progress");
  const control = new AbortController();
  const started = Promise.withResolvers<void>();
  const call = session.call(
    "wait",
    {},
    { ...soon, signal: control.signal, onProgress: () => started.resolve() },
  );
  await started.promise;
  const reason = new Error("changed my mind");
  control.abort(reason);
  expect(await call.catch((error: unknown) => error)).toBe(reason);
  expect(await session.call("cancelled", {}, soon)).toMatchObject({ payload: { data: [1] } });
});

test("W3 a call without an answer in time is a timeout, is cancelled at the plugin and leaves the session open", async () => {
  const session = await open("progress");
  const error = await failureOf(session.call("wait", {}, { timeoutMs: 100 }));
  expect(error.code).toBe("PLUGIN_TIMEOUT");
  expect(error.message).toBe('The plugin "progress" did not answer tools/call within 100 ms.');
  expect(error.info.details).toMatchObject({ timeout_ms: 100, in_a_row: 1 });
  expect(error.info.details?.cause).toBeUndefined();
  expect(await session.call("cancelled", {}, soon)).toMatchObject({ payload: { data: [1] } });
});

test("W3 a late answer is never taken for another call's", async () => {
  const session = await open("late-answer");
  expect((await failureOf(session.call("slow", {}, { timeoutMs: 100 }))).code).toBe("PLUGIN_TIMEOUT");
  expect(await session.call("fast", {}, soon)).toMatchObject({ payload: { data: "fast 2" } });
});

test("W3 the third timeout in a row ends the session for good", async () => {
  const session = await open("progress");
  const wait = () => failureOf(session.call("wait", {}, { timeoutMs: 50 }));
  expect((await wait()).info.details?.in_a_row).toBe(1);
  expect((await wait()).info.details?.in_a_row).toBe(2);
  const third = await wait();
  expect(third.code).toBe("PLUGIN_TIMEOUT");
  expect(third.info.details?.cause).toBe("too_many_timeouts");
  expect(await failureOf(session.call("count", {}, soon))).toBe(third);
  expect(await session.over).toBe(third);
});

test("W3 an answer between two timeouts starts the count again", async () => {
  const session = await open("progress");
  for (let round = 0; round < 2; round++) {
    for (let n = 1; n <= 2; n++) {
      const error = await failureOf(session.call("wait", {}, { timeoutMs: 30 }));
      expect(error.info.details?.in_a_row).toBe(n);
    }
    await session.call("count", {}, soon);
  }
});

test("W2 answers to ids that nobody sent, doubled answers and answers under other types are dropped", async () => {
  const session = await open("stray-answers");
  expect(await session.call("hello", {}, soon)).toMatchObject({ payload: { data: "first" } });
  expect(await session.call("hello", {}, soon)).toMatchObject({ payload: { data: "first" } });
});

test("W8 each form of a result is read through the wire", async () => {
  const session = await open("answers");
  const answers: Record<string, unknown> = {};
  for (const tool of [
    "ok",
    "error",
    "error-unflagged",
    "flagged-text",
    "plain",
    "structured",
    "image",
    "nothing",
  ]) {
    answers[tool] = await session.call(tool, {}, soon);
  }
  const limited = { code: "RATE_LIMIT", message: "slow down", retryable: true, retryAfterMs: 1500 };
  expect(answers).toEqual({
    ok: {
      ok: true,
      payload: { success: true, data: { b: 1, a: 2 }, extra: "kept" },
      text: '{"success": true, "data": {"b": 1, "a": 2}, "extra": "kept"}',
    },
    error: { ok: false, error: limited },
    "error-unflagged": { ok: false, error: limited },
    "flagged-text": { ok: false, error: { code: null, message: "the disk is full", retryable: false } },
    plain: { ok: true, payload: { success: true, data: "just words" } },
    structured: { ok: true, payload: { success: true, data: { n: 1 } } },
    image: {
      ok: true,
      payload: { success: true, data: null },
      content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }],
    },
    nothing: { ok: true, payload: { success: true, data: null } },
  });
});

test("W5 a result that cannot be decoded is a failure, and the session goes on", async () => {
  const session = await open("answers");
  const error = await failureOf(session.call("malformed", {}, soon));
  expect(error.code).toBe("SERVICE_DOWN");
  expect(error.info.details?.cause).toBeUndefined();
  expect(await session.call("plain", {}, soon)).toMatchObject({ ok: true });
});

test("W8 a JSON-RPC error in place of a result is a failure of the call with the plugin's own code", async () => {
  const session = await open("answers");
  const error = await failureOf(session.call("rpc-error", {}, soon));
  expect(error.code).toBe("SERVICE_DOWN");
  expect(error.message).toBe('The plugin "answers" refused rpc-error: the back end is away');
  expect(error.info.sourceErrorCode).toBe("-32000");
  expect(await session.call("plain", {}, soon)).toMatchObject({ ok: true });
});

test("W2 arguments that are too long to be sent are refused and the session goes on", async () => {
  const session = await open("hello", { limits: { maxLineBytes: 10_000 } });
  const error = await failureOf(session.call("hello", { name: "x".repeat(20_000) }, soon));
  expect(error.code).toBe("INVALID_ARGS");
  expect(error.info.details).toMatchObject({ max_bytes: 10_000 });
  expect(await session.call("hello", { name: "x" }, soon)).toMatchObject({ ok: true });
});

test("openMcp ends the plugin when its caller gives up", async () => {
  const control = new AbortController();
  const plumbing = start("hang-initialize");
  const opening = openMcp(host, plumbing, { plugin: "hang", version: "1", signal: control.signal });
  control.abort(new Error("enough"));
  expect(await opening.catch((error: unknown) => String(error))).toBe("Error: enough");
  expect(await plumbing.exited).toEqual({ code: null, signal: "SIGKILL" });
});
