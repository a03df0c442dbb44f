import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { defaultLimits } from "../../src/wire/limits.ts";
import { PluginTransport } from "../../src/wire/transport.ts";
import { host } from "./start.ts";

function fake() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const { promise: exited, resolve: exit } = Promise.withResolvers<{
    code: number | null;
    signal: string | null;
  }>();
  return { plumbing: { pid: 1, stdin, stdout, stderr, exited, end: () => undefined }, exit };
}

async function closed(transport: PluginTransport): Promise<unknown> {
  await new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  return transport.fault;
}

test("W2 a stdin that reports an error ends the connection as one that is not read", async () => {
  const { plumbing } = fake();
  const transport = new PluginTransport(host.clock, plumbing);
  await transport.start();
  plumbing.stdin.destroy(new Error("EPIPE"));
  expect(await closed(transport)).toEqual({ kind: "stopped_reading" });
});

test("W27 an exit that follows a closed stdout is the better reason", async () => {
  const { plumbing, exit } = fake();
  const transport = new PluginTransport(host.clock, plumbing);
  await transport.start();
  plumbing.stdout.end();
  setTimeout(() => exit({ code: 4, signal: null }), 20);
  expect(await closed(transport)).toEqual({ kind: "exited" });
  expect(transport.exit).toEqual({ code: 4, signal: null });
});

test("W2 requests of the plugin beyond the limit are refused at once, and answered ones make room", async () => {
  const { plumbing } = fake();
  const transport = new PluginTransport(host.clock, plumbing, { ...defaultLimits, maxInbound: 2 });
  const heard: unknown[] = [];
  transport.onmessage = (message) => heard.push(message);
  await transport.start();
  const ask = (id: number) => plumbing.stdout.write(`{"jsonrpc":"2.0","id":${id},"method":"roots/list"}\n`);
  for (const id of [1, 2, 3]) ask(id);
  await new Promise((resolve) => plumbing.stdin.once("data", resolve).resume());
  expect(heard).toHaveLength(2);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  ask(4);
  await new Promise(setImmediate);
  expect(heard.at(-1)).toEqual({ jsonrpc: "2.0", id: 4, method: "roots/list" });
});

test("W4 a transport that was closed on request has no fault, and hears nothing more", async () => {
  const { plumbing, exit } = fake();
  const transport = new PluginTransport(host.clock, plumbing);
  const heard: unknown[] = [];
  transport.onmessage = (message) => heard.push(message);
  await transport.start();
  await transport.close();
  plumbing.stdout.write('{"jsonrpc":"2.0","method":"x"}\nnot protocol\n');
  exit({ code: 9, signal: null });
  await new Promise(setImmediate);
  expect(transport.fault).toBeUndefined();
  expect(heard).toEqual([]);
});
