// The seven tools. Arguments are read by hand: they are few, and what is wrong with them is said in gum's own words.

import { GumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import type { ServerClient } from "../kernel/server.ts";
import { inventory, opView } from "../kernel/server-views.ts";
import type { CallRequest } from "../model/call.ts";
import { type RiskClass, riskClasses } from "../model/risk.ts";
import type { Progress } from "../model/session.ts";
import type { Hub } from "./hub.ts";
import { callResult, type Result, toolFailure, toolResult } from "./results.ts";

/** What one call of a tool comes with. */
export interface ToolCall {
  readonly hub: Hub;
  readonly client: ServerClient;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

type Run = (call: ToolCall) => Promise<Result>;

const tools: Readonly<Record<string, Run>> = {
  "gum.search": search,
  "gum.describe_op": describe,
  "gum.read": (call) => callOp(call, "read"),
  "gum.write": (call) => callOp(call, "write"),
  "gum.destructive": (call) => callOp(call, "destructive"),
  "gum.plugins": plugins,
  "gum.canary": canary,
};

/** Runs one of gum's own tools; undefined when there is none of that name. Failures are results. */
export async function runOwnTool(name: string, call: ToolCall): Promise<Result | undefined> {
  const run = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (run === undefined) return undefined;
  try {
    return await run(call);
  } catch (error) {
    return toolFailure(error, contextOf(call.args));
  }
}

async function search({ hub, args }: ToolCall): Promise<Result> {
  only(args, ["query", "limit", "risk"]);
  const query = requiredText(args, "query");
  const { limit = 10, risk } = args;
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw wrong("/limit", "must be a whole number from 1 to 100");
  }
  if (risk !== undefined && !isRisk(risk)) throw wrong("/risk", `must be one of ${riskClasses.join(", ")}`);
  const { index } = await hub.server.catalog();
  return toolResult({ hits: index.search(query, { limit, risk }) });
}

/** Schemas beyond this are named instead of shown: an agent that needs one reads the resource. */
const inlineBytes = 16_384;

async function describe({ hub, args }: ToolCall): Promise<Result> {
  only(args, ["op_id", "variant_id"]);
  const view = await opView(hub.server, requiredText(args, "op_id"), optionalText(args, "variant_id"));
  const { request_schema, response_schema, ...rest } = {
    request_schema: null,
    response_schema: null,
    ...view,
  };
  return toolResult({
    ...rest,
    ...inline("request_schema", request_schema),
    ...inline("response_schema", response_schema),
  });
}

function inline(key: string, schema: unknown): Record<string, unknown> {
  if (schema === null) return {};
  return JSON.stringify(schema).length <= inlineBytes ? { [key]: schema } : {};
}

async function callOp({ hub, client, args, signal, onProgress }: ToolCall, risk: RiskClass): Promise<Result> {
  only(args, ["op_id", "args", "variant_id", "format", "token"]);
  const given = args.args ?? {};
  if (!isRecord(given)) throw wrong("/args", "must be an object");
  if (args.format !== undefined && args.format !== "json") throw wrong("/format", "must be json");
  const token = optionalText(args, "token");
  const request: CallRequest = {
    op: requiredText(args, "op_id"),
    variantId: optionalText(args, "variant_id"),
    args: given,
    risk,
    confirmation: { kind: "token", token, keySource: "process" },
    onProgress,
  };
  return callResult(await client.call(request, { signal, onWarning: (warning) => hub.warn(warning) }));
}

async function plugins({ hub, args }: ToolCall): Promise<Result> {
  only(args, []);
  return toolResult({ plugins: await inventory(hub.server) });
}

async function canary({ hub, args }: ToolCall): Promise<Result> {
  only(args, ["plugin", "live"]);
  const { live = false } = args;
  if (typeof live !== "boolean") throw wrong("/live", "must be true or false");
  const answer = await hub.canaries.run(requiredText(args, "plugin"), live);
  const result = toolResult({ ...answer });
  return answer.ok ? result : { ...result, isError: true };
}

function contextOf({ op_id, plugin }: Readonly<Record<string, unknown>>) {
  const op = typeof op_id === "string" ? op_id : undefined;
  const named = typeof plugin === "string" ? plugin : /^plug\.([^.]+)\./.exec(op ?? "")?.[1];
  return { op_id: op, plugin: named };
}

function only(args: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const stranger = Object.keys(args).find((name) => !names.includes(name));
  if (stranger !== undefined) throw wrong(`/${stranger}`, "is not an argument of this tool");
}

function requiredText(args: Readonly<Record<string, unknown>>, name: string): string {
  const value = optionalText(args, name);
  if (value === undefined) throw wrong(`/${name}`, "is missing");
  return value;
}

function optionalText(args: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || typeof value === "string") return value;
  throw wrong(`/${name}`, "must be text");
}

function isRisk(value: unknown): value is RiskClass {
  return riskClasses.some((risk) => risk === value);
}

function wrong(pointer: string, message: string): GumError {
  return new GumError("INVALID_ARGS", `The argument ${pointer.slice(1)} ${message}.`, {
    hint: "see the tool's input schema",
    details: { violations: [{ pointer, message }] },
  });
}
