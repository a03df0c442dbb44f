import { isRecord } from "../base/record.ts";
import type { Explanation } from "./causes.ts";
import { clientCapabilities } from "./client-role.ts";
import { type McpLink, RpcError } from "./mcp-link.ts";
import { oneLine } from "./text.ts";

/** What a server says about itself. */
export interface ServerFacts {
  readonly protocolVersion: string;
  readonly server: { readonly name: string; readonly version: string } | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

export interface InitializeInput {
  readonly latest: string;
  readonly supported: readonly string[];
  /** gum's own version. */
  readonly version: string;
  readonly connectMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Shakes hands and agrees on a protocol version, the newest that both sides know. */
export async function initialize(link: McpLink, input: InitializeInput): Promise<ServerFacts> {
  const facts = readServer(await askTwice(link, input));
  if (facts === undefined || !input.supported.includes(facts.protocolVersion)) {
    throw await link.fatal(wrongVersion(facts?.protocolVersion, input.supported));
  }
  await link.notify("notifications/initialized");
  link.ready = true;
  return facts;
}

/** A server may refuse a version that it does not know and name those that it does. */
async function askTwice(link: McpLink, input: InitializeInput): Promise<unknown> {
  try {
    return await ask(link, input, input.latest);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const other = offeredVersion(error, input);
    if (other === undefined) throw await link.fatal(refused(error));
    return ask(link, input, other).catch(async (second: unknown) => {
      throw second instanceof RpcError ? await link.fatal(refused(second)) : second;
    });
  }
}

function ask(link: McpLink, input: InitializeInput, protocolVersion: string): Promise<unknown> {
  const params = {
    protocolVersion,
    capabilities: clientCapabilities,
    clientInfo: { name: "gum", version: input.version },
  };
  return link.request("initialize", params, {
    timeoutMs: input.connectMs,
    signal: input.signal,
    vital: "initialize",
  });
}

function offeredVersion({ data }: RpcError, { supported, latest }: InitializeInput): string | undefined {
  const offered = isRecord(data) && Array.isArray(data.supported) ? data.supported : [];
  return supported.find((version) => version !== latest && offered.includes(version));
}

function readServer(value: unknown): ServerFacts | undefined {
  if (!isRecord(value) || typeof value.protocolVersion !== "string") return undefined;
  const { protocolVersion, serverInfo, capabilities, instructions } = value;
  return {
    protocolVersion,
    server: readInfo(serverInfo),
    capabilities: isRecord(capabilities) ? capabilities : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

function readInfo(info: unknown): ServerFacts["server"] {
  if (!isRecord(info) || typeof info.name !== "string") return undefined;
  return { name: info.name, version: typeof info.version === "string" ? info.version : "" };
}

function wrongVersion(version: string | undefined, supported: readonly string[]): Explanation {
  const said =
    version === undefined
      ? "no protocol version"
      : `protocol version ${JSON.stringify(oneLine(version, 40))}`;
  return {
    cause: "protocol_version",
    what: `answered initialize with ${said}`,
    hint: `answer with one of ${supported.join(", ")}`,
  };
}

function refused(error: RpcError): Explanation {
  return {
    cause: "initialize_refused",
    what: `refused initialize: ${oneLine(error.message, 300) || `error ${error.code}`}`,
    hint: "answer initialize with protocolVersion, capabilities and serverInfo",
  };
}
