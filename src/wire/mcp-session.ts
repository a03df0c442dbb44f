import { GumError } from "../base/errors.ts";
import type { Answer, CallOptions, Description, Session } from "../model/session.ts";
import { readAnswer } from "./answer.ts";
import type { Params } from "./frames.ts";
import type { ServerFacts } from "./mcp-initialize.ts";
import { type McpLink, type RequestOptions, RpcError } from "./mcp-link.ts";
import { listAll, readTools } from "./mcp-lists.ts";
import { oneLine } from "./text.ts";

/** A session with an MCP server: tools as on every wire, and what only MCP has. */
export interface McpSession extends Session {
  readonly facts: ServerFacts;
  /** Settles when the session is over: with the reason when the plugin died, with nothing after `close`. */
  readonly over: Promise<GumError | undefined>;
  /** Asks for the tools again, after a list_changed. */
  refresh(): Promise<Description>;
  /** The CallToolResult as the plugin sent it, for callers that forward it. */
  callRaw(tool: string, args: unknown, options: CallOptions): Promise<unknown>;
  listResources(options: RequestOptions): Promise<readonly unknown[]>;
  listResourceTemplates(options: RequestOptions): Promise<readonly unknown[]>;
  readResource(uri: string, options: RequestOptions): Promise<unknown>;
  listPrompts(options: RequestOptions): Promise<readonly unknown[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, options: RequestOptions): Promise<unknown>;
  ping(options: RequestOptions): Promise<void>;
  /** Any other request; the plugin's own errors are thrown as RpcError. */
  request(method: string, params: Params, options: RequestOptions): Promise<unknown>;
  notify(method: string, params?: Params): Promise<void>;
  /** What is kept of stderr. */
  stderrTail(): string;
}

/** The session as one with an MCP server; undefined on every other wire. */
export function asMcpSession(session: Session): McpSession | undefined {
  return isMcpSession(session) ? session : undefined;
}

function isMcpSession(session: Session): session is McpSession {
  return "callRaw" in session;
}

/** A session over an initialized link; tools are listed on the first `describe`. */
export function createMcpSession(link: McpLink, facts: ServerFacts, listTimeoutMs: number): McpSession {
  let described: Promise<Description> | undefined;
  const refresh = (): Promise<Description> => {
    described = describeTools(link, facts, listTimeoutMs);
    return described;
  };
  const callRaw = (tool: string, args: unknown, options: CallOptions) =>
    link.request("tools/call", { name: tool, arguments: args ?? {} }, options);
  const list = async (method: string, key: string, options: RequestOptions) =>
    (await listAll(link, method, key, options)) ?? [];
  return {
    facts,
    over: link.over,
    describe: () => described ?? refresh(),
    refresh,
    callRaw,
    call: (tool, args, options) => answered(link.plugin, tool, callRaw(tool, args, options), options.onReply),
    listResources: (options) => list("resources/list", "resources", options),
    listResourceTemplates: (options) => list("resources/templates/list", "resourceTemplates", options),
    readResource: (uri, options) => link.request("resources/read", { uri }, options),
    listPrompts: (options) => list("prompts/list", "prompts", options),
    getPrompt: (name, args, options) => link.request("prompts/get", { name, arguments: args }, options),
    ping: async (options) => void (await link.request("ping", undefined, options)),
    request: (method, params, options) => link.request(method, params, options),
    notify: (method, params) => link.notify(method, params),
    stderrTail: () => link.stderrTail,
    close: () => link.close(),
  };
}

async function describeTools(link: McpLink, facts: ServerFacts, timeoutMs: number): Promise<Description> {
  const entries = await listAll(link, "tools/list", "tools", { timeoutMs, vital: "list" });
  return { server: facts.server, protocolVersion: facts.protocolVersion, ...readTools(entries ?? []) };
}

async function answered(
  plugin: string,
  tool: string,
  result: Promise<unknown>,
  onReply: CallOptions["onReply"],
): Promise<Answer> {
  try {
    const value = await result;
    onReply?.({ kind: "result", value });
    return readAnswer(value);
  } catch (error) {
    if (error instanceof RpcError) {
      const { code, message, data } = error;
      onReply?.({ kind: "error", code, message, ...(data === undefined ? {} : { data }) });
    }
    throw error instanceof RpcError ? refusedCall(plugin, tool, error) : error;
  }
}

const rpcCodes = new Map([
  [-32601, "OP_NOT_FOUND"],
  [-32602, "INVALID_ARGS"],
] as const);

/** A JSON-RPC error in place of a result: the plugin lives, this call was refused. */
function refusedCall(plugin: string, tool: string, error: RpcError): GumError {
  const said = oneLine(error.message, 2000) || `error ${error.code}`;
  const code = error.code === -32601 || error.code === -32602 ? rpcCodes.get(error.code) : undefined;
  return new GumError(code ?? "SERVICE_DOWN", `The plugin "${plugin}" refused ${tool}: ${said}`, {
    retryable: false,
    sourceErrorCode: String(error.code),
  });
}
