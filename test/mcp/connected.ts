// A client of the SDK's on a server in this process, with real plugins in a scratch home.
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { openClientSession } from "../../src/mcp/client-session.ts";
import { type Hub, openHub } from "../../src/mcp/hub.ts";
import { installFrom, type Scratch, scratch } from "../kernel/scratch.ts";

const main = resolve(import.meta.dir, "../../src/main.ts");

export interface Connected extends AsyncDisposable {
  readonly home: Scratch;
  readonly hub: Hub;
  readonly kernel: Kernel;
  readonly client: Client;
  /** One more client of the same server. */
  connect(capabilities?: ClientCapabilities): Promise<Client>;
  /** The structured content of a tool's result, and whether it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<Answered>;
  /** The JSON at an address. */
  read(uri: string): Promise<unknown>;
}

export interface Answered {
  readonly isError: boolean;
  readonly value: Record<string, unknown>;
  readonly text: string;
}

export interface ConnectOptions {
  readonly plugins?: readonly string[];
  readonly exposeTools?: boolean;
  readonly capabilities?: ClientCapabilities;
  readonly config?: Partial<Kernel["config"]>;
}

/** A kernel whose children are this source. */
export async function serverKernel(home: Scratch, config: Partial<Kernel["config"]> = {}): Promise<Kernel> {
  const kernel = await home.kernel();
  const machine = { ...kernel.host.machine, self: { file: process.execPath, args: [main] } };
  return { ...kernel, host: { ...kernel.host, machine }, config: { ...kernel.config, ...config } };
}

/** Installs the plugins, starts a server and connects a client. */
export async function connected(options: ConnectOptions = {}): Promise<Connected> {
  const home = scratch();
  const kernel = await serverKernel(home, options.config);
  for (const name of options.plugins ?? ["hello"]) await installFrom(kernel, home.plugin(name));
  return serve(home, kernel, options, () => home[Symbol.dispose]());
}

/** Another server in the same home, as after a restart. */
export async function reopened(at: Connected, options: ConnectOptions = {}): Promise<Connected> {
  return serve(at.home, await serverKernel(at.home, options.config), options, () => undefined);
}

async function serve(
  home: Scratch,
  kernel: Kernel,
  options: ConnectOptions,
  end: () => void,
): Promise<Connected> {
  const hub = await openHub(kernel, { exposeTools: options.exposeTools ?? false });
  const clients: Client[] = [];
  const connect = async (capabilities: ClientCapabilities = {}): Promise<Client> => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
    await openClientSession(hub, far);
    await client.connect(near);
    clients.push(client);
    return client;
  };
  const client = await connect(options.capabilities);
  return {
    home,
    hub,
    kernel,
    client,
    connect,
    call: (name, args = {}) => callTool(client, name, args),
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      const [only] = contents;
      return JSON.parse(only !== undefined && "text" in only ? only.text : "null");
    },
    async [Symbol.asyncDispose]() {
      for (const one of clients) await one.close();
      await hub.close();
      end();
    },
  };
}

/** Calls a tool and reads its result. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Answered> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = Array.isArray(result.content) ? result.content : [];
  const value = (result.structuredContent ?? {}) as Record<string, unknown>;
  return { isError: result.isError === true, value, text: String(first?.text) };
}
