import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type HttpOptions, serveHttp } from "../../src/mcp/serve-http.ts";
import { installFrom, type Scratch, scratch } from "../kernel/scratch.ts";
import { callTool, serverKernel } from "./connected.ts";

interface Running extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  connect(headers?: Record<string, string>): Promise<Client>;
}

let home: Scratch;
beforeAll(async () => {
  home = scratch();
  await installFrom(await serverKernel(home), home.plugin("hello"));
  await installFrom(await serverKernel(home), home.plugin("progress"));
});
afterAll(() => home[Symbol.dispose]());

async function serve(options: Partial<HttpOptions> = {}): Promise<Running> {
  const control = new AbortController();
  const kernel = { ...(await serverKernel(home)), signal: control.signal };
  const listening = Promise.withResolvers<string>();
  const running = serveHttp(kernel, {
    exposeTools: false,
    host: "127.0.0.1",
    port: 0,
    tokenFile: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    maxSessions: 4,
    idleMs: 60_000,
    onListening: listening.resolve,
    ...options,
  });
  running.catch(listening.reject);
  const url = await listening.promise;
  return {
    url,
    port: Number(new URL(url).port),
    async connect(headers = {}) {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      return client;
    },
    async [Symbol.asyncDispose]() {
      control.abort();
      await running;
    },
  };
}

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
});

/** The status of a request that is written by hand, since fetch does not let headers such as Host be chosen. */
function rawStatus(port: number, head: readonly string[], body = initialize): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(port, "127.0.0.1");
  socket.setTimeout(20_000, () => reject(new Error("no answer")));
  socket.once("error", reject);
  socket.once("data", (block) => {
    resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(block))?.[1]));
    socket.destroy();
  });
  socket.write(`${head.join("\r\n")}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return promise;
}

function post(port: number, more: readonly string[] = [], host = `127.0.0.1:${port}`): string[] {
  const accept = "Accept: application/json, text/event-stream";
  return ["POST /mcp HTTP/1.1", `Host: ${host}`, "Content-Type: application/json", accept, ...more];
}

describe("gum mcp --http", () => {
  test("S11 a client lists and calls over Streamable HTTP, with progress", async () => {
    await using server = await serve();
    const client = await server.connect();
    expect((await client.listTools()).tools.length).toBe(7);
    const hello = { op_id: "hello.hello", args: { name: "Ada" } };
    expect((await callTool(client, "gum.read", hello)).value.data).toEqual({ greeting: "Hello, Ada!" });
    const told: number[] = [];
    await client.callTool(
      { name: "gum.read", arguments: { op_id: "plug.progress.count", args: { steps: 3 } } },
      undefined,
      { onprogress: ({ progress }) => told.push(progress) },
    );
    expect(told).toEqual([1, 2, 3]);
    await client.close();
  });

  test("S11 a wrong Host and a wrong Origin are refused, and the right ones are not", async () => {
    await using server = await serve({
      allowedHosts: ["gum.example.com"],
      allowedOrigins: ["https://app.example.com"],
    });
    const { port } = server;
    const status = (more: string[], host?: string) => rawStatus(port, post(port, more, host));
    expect(await status([])).toBe(200);
    expect(await status([], `localhost:${port}`)).toBe(200);
    expect(await status([], "gum.example.com")).toBe(200);
    expect(await status([], "evil.example.com")).toBe(403);
    expect(await status([], `evil.example.com:${port}`)).toBe(403);
    expect(await status([], `127.0.0.1:${port + 1}`)).toBe(403);
    expect(await status(["Origin: https://evil.example.com"])).toBe(403);
    expect(await status(["Origin: null"])).toBe(403);
    await using another = await serve({ allowedOrigins: ["https://app.example.com"] });
    const origins = ["https://app.example.com", `http://localhost:${another.port}`];
    for (const origin of origins) {
      expect(await rawStatus(another.port, post(another.port, [`Origin: ${origin}`]))).toBe(200);
    }
  });

  test("S11 with a token every request needs it, and the file must be private", async () => {
    const file = join(home.folder, "token");
    writeFileSync(file, "a-token-of-some-length\n", { mode: 0o600 });
    await using server = await serve({ tokenFile: file });
    const { port } = server;
    expect(await rawStatus(port, post(port))).toBe(401);
    expect(await rawStatus(port, post(port, ["Authorization: Bearer wrong-token-of-some-length"]))).toBe(401);
    expect(await rawStatus(port, post(port, ["Authorization: Basic a-token-of-some-length"]))).toBe(401);
    const client = await server.connect({ authorization: "Bearer a-token-of-some-length" });
    expect((await client.listTools()).tools.length).toBe(7);
    await client.close();
    chmodSync(file, 0o640);
    await expect(serve({ tokenFile: file })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    chmodSync(file, 0o600);
    writeFileSync(file, "short");
    await expect(serve({ tokenFile: file })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(serve({ tokenFile: `${file}-none` })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test("S11 any other address than loopback needs a token", async () => {
    await expect(serve({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "USAGE" });
    await expect(serve({ host: "::" })).rejects.toMatchObject({ code: "USAGE" });
  });

  test("S11 sessions are bounded in number and in idle time", async () => {
    await using server = await serve({ maxSessions: 2, idleMs: 300 });
    const { port } = server;
    const first = await server.connect();
    await server.connect();
    expect(await rawStatus(port, post(port))).toBe(503);
    await first.close();
    for (;;) {
      if ((await rawStatus(port, post(port))) === 200) break; // the idle ones have been closed
    }
    expect(await rawStatus(port, post(port, ["Mcp-Session-Id: 00000000000000000000000000000000"]))).toBe(404);
  });

  test("S11 other paths and methods, a body that is too large and one that is no message are refused", async () => {
    await using server = await serve();
    const { port } = server;
    expect(await rawStatus(port, ["POST / HTTP/1.1", `Host: 127.0.0.1:${port}`])).toBe(404);
    expect(await rawStatus(port, ["PUT /mcp HTTP/1.1", `Host: 127.0.0.1:${port}`])).toBe(405);
    expect(await rawStatus(port, post(port), "not json")).toBe(400);
    const huge = `${17 << 20}`;
    expect(await rawStatus(port, [...post(port), `X-Pad: x`], "").catch(() => 0)).toBe(400);
    const head = post(port).join("\r\n");
    const socket = connect(port, "127.0.0.1");
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.once("data", (block) => resolve(String(block)));
    socket.write(`${head}\r\nContent-Length: ${huge}\r\n\r\n{`);
    expect(await promise).toStartWith("HTTP/1.1 413");
    socket.destroy();
  });
});
