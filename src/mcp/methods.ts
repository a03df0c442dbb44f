// The requests of MCP that gum answers, by method.

import { GumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import { exposedTools } from "../kernel/exposed-tools.ts";
import type { ServerClient } from "../kernel/server.ts";
import type { Progress } from "../model/session.ts";
import { admit } from "./admission.ts";
import { type Announcer, maySubscribe } from "./announcer.ts";
import type { ClientPeers, Line } from "./client-peer.ts";
import { complete } from "./completions.ts";
import { pluginOfTool, runExposedTool, subscribe } from "./exposed.ts";
import type { Hub } from "./hub.ts";
import { runOwnTool } from "./own-tools.ts";
import { pageOf } from "./pages.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, listTemplates, readResource } from "./resources.ts";
import { ProtocolFault, type Result, rpcCodes, toolFailure } from "./results.ts";
import { ownTools } from "./tool-list.ts";
import { readUri } from "./uris.ts";

export interface MethodParts {
  readonly hub: Hub;
  readonly client: ServerClient;
  readonly peers: ClientPeers;
  readonly announcer: Announcer;
}

/** What a request comes with beside its parameters. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly line: Line;
}

type Params = Readonly<Record<string, unknown>>;
type Method = (params: Params, asking: Asking) => Promise<Result>;

/** Answers any request of one client. */
export function createMethods(
  parts: MethodParts,
): (method: string, params: Params, asking: Asking) => Promise<Result> {
  const { hub, client, announcer } = parts;
  const tools = exposedTools(hub.server);
  const allTools = async (): Promise<readonly Result[]> =>
    hub.exposeTools
      ? [...ownTools, ...(await tools()).map(({ plugin: _, ...tool }) => tool)].map(asResult)
      : ownTools.map(asResult);
  const methods: Readonly<Record<string, Method>> = {
    "tools/list": async (params) => pageOf("tools", await allTools(), params),
    "tools/call": (params, asking) => callTool(parts, params, asking),
    "resources/list": async (params) => pageOf("resources", await listResources(hub, client), params),
    "resources/templates/list": async (params) =>
      pageOf("resourceTemplates", await listTemplates(hub, client), params),
    "resources/read": (params, { signal, line }) => {
      const uri = text(params, "uri");
      return inPlugin(parts, pluginOfUri(uri), line, () => readResource(hub, client, uri, signal));
    },
    "resources/subscribe": (params, asking) => subscription(parts, text(params, "uri"), true, asking),
    "resources/unsubscribe": (params, asking) => subscription(parts, text(params, "uri"), false, asking),
    "prompts/list": async (params) => pageOf("prompts", await listPrompts(hub, client), params),
    "prompts/get": (params, { signal, line }) => {
      const name = text(params, "name");
      const args = isRecord(params.arguments) ? params.arguments : {};
      const work = () => getPrompt(hub, client, { name, arguments: args }, signal);
      return inPlugin(parts, pluginOfTool(name), line, work);
    },
    "completion/complete": (params, { signal }) => complete(hub, client, params, signal),
    "logging/setLevel": async (params) => {
      if (announcer.setLevel(text(params, "level"))) return {};
      throw invalid("level is none of MCP's");
    },
  };
  return async (method, params, asking) => {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (run === undefined) throw new ProtocolFault(rpcCodes.methodNotFound, "Method not found");
    const place = admit(hub, params);
    if (place === undefined) return method === "tools/call" ? toolFailure(tooMany()) : refuse(tooMany());
    try {
      return await run(params, asking);
    } finally {
      place.leave();
    }
  };
}

async function callTool(parts: MethodParts, params: Params, { signal, line }: Asking): Promise<Result> {
  const { hub, client } = parts;
  const name = text(params, "name");
  const args = params.arguments ?? {};
  if (!isRecord(args)) throw invalid("arguments must be an object");
  const call = { hub, client, args, signal, onProgress: progressTo(params, line) };
  const plugin = pluginOfTool(name);
  if (hub.exposeTools && plugin !== undefined) {
    return inPlugin(parts, plugin, line, () => runExposedTool(name, call));
  }
  const op = typeof args.op_id === "string" ? pluginOfTool(args.op_id) : undefined;
  const result = await inPlugin(parts, op, line, async () => runOwnTool(name, call));
  if (result === undefined) throw invalid(`there is no tool "${name.slice(0, 200)}"`);
  return result;
}

function inPlugin<T>(
  { peers }: MethodParts,
  plugin: string | undefined,
  line: Line,
  work: () => Promise<T>,
): Promise<T> {
  return peers.during(plugin, line, work);
}

/** Progress goes to callers that gave a token for it. */
function progressTo({ _meta: meta }: Params, line: Line): ((progress: Progress) => void) | undefined {
  const token = isRecord(meta) ? meta.progressToken : undefined;
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  return (progress) => void line.notify("notifications/progress", { progressToken: token, ...progress });
}

async function subscription(
  { hub, client, announcer }: MethodParts,
  uri: string,
  on: boolean,
  { signal }: Asking,
): Promise<Result> {
  const place = readUri(uri);
  if (place === undefined) throw invalid("there is no such resource");
  if (on && !maySubscribe(announcer)) throw invalid("too many subscriptions");
  const answer =
    place.kind === "plugin-resource"
      ? await subscribe(hub, client, { plugin: place.name, uri: place.uri, on }, signal)
      : {};
  if (on) announcer.subscriptions.add(uri);
  else announcer.subscriptions.delete(uri);
  return answer;
}

function pluginOfUri(uri: string): string | undefined {
  const place = readUri(uri);
  return place?.kind === "plugin-resource" ? place.name : undefined;
}

function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw invalid(`${name} must be text`);
  return value;
}

function asResult(value: object): Result {
  return { ...value };
}

function refuse(error: GumError): never {
  throw error;
}

function tooMany(): GumError {
  return new GumError("RATE_LIMITED", "Too much is under way in this server.", { retryable: true });
}

function invalid(message: string): ProtocolFault {
  return new ProtocolFault(rpcCodes.invalidParams, `Invalid params: ${message}`);
}
