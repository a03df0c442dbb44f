import { GumError } from "../base/errors.ts";
import type { Asked, Offer, Question } from "../model/question.ts";
import { defineStep } from "../pipeline/step.ts";
import type { RequestOptions } from "../wire/mcp-link.ts";
import { RpcError } from "../wire/mcp-link.ts";
import { asMcpSession, type McpSession } from "../wire/mcp-session.ts";
import { oneLine } from "../wire/text.ts";
import { callTimeout } from "../wire/timeouts.ts";
import { unproven } from "./skipped.ts";

/** Asks the running plugin; its own refusal is told apart from its failure. */
export const askPlugin = defineStep({
  name: "ask-plugin",
  summary: "Ask the plugin for a prompt, a resource or what it offers.",
  needs: ["session", "question", "resolved", "runtime"],
  gives: ["reply"],
  codes: ["SERVICE_DOWN", "PLUGIN_TIMEOUT", "RESOURCE_NOT_FOUND", "INVALID_ARGS", "PIPELINE_INVALID"],
  async run({ session, question, resolved, runtime }, { signal }) {
    if (session === null) throw unproven("ask-plugin", "open-session");
    const mcp = asMcpSession(session);
    if (mcp === undefined) return { reply: nothing(resolved.lock.name, question.asks) };
    const { settings } = runtime;
    const timeoutMs = callTimeout({
      configuredMs: settings.callTimeoutMs,
      pluginMs: resolved.lock.plugin.timeout_ms,
      pluginMayRaise: settings.allowLongerTimeouts,
      requestedMs: undefined,
    });
    const options: RequestOptions = { timeoutMs, signal, onProgress: question.onProgress };
    return { reply: await ask(mcp, question, options) };
  },
});

async function ask(session: McpSession, question: Question, options: RequestOptions): Promise<unknown> {
  const { asks } = question;
  if (asks.method === "offer") return offerOf(session, options);
  try {
    const value = await session.request(asks.method, asks.params, options);
    question.onReply?.({ kind: "result", value });
    return value;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error;
    question.onReply?.({ kind: "error", code, message, ...(data === undefined ? {} : { data }) });
    throw refused(question, error);
  }
}

/** Only what the plugin says that it has is asked for. */
async function offerOf(session: McpSession, options: RequestOptions): Promise<Offer> {
  const { capabilities } = session.facts;
  const has = (name: string): boolean => capabilities[name] !== undefined;
  const [prompts, resources, templates] = await Promise.all([
    has("prompts") ? session.listPrompts(options) : [],
    has("resources") ? session.listResources(options) : [],
    has("resources") ? session.listResourceTemplates(options) : [],
  ]);
  return { prompts, resources, templates };
}

/** A plugin on another wire than MCP offers tools alone. */
function nothing(plugin: string, asks: Asked): Offer {
  if (asks.method === "offer") return { prompts: [], resources: [], templates: [] };
  throw new GumError("RESOURCE_NOT_FOUND", `The plugin "${plugin}" has tools alone.`);
}

const resourceNotFound = -32002;
const invalidParams = -32602;

function refused({ plugin, asks }: Question, error: RpcError): GumError {
  const said = oneLine(error.message, 2000) || `error ${error.code}`;
  const message = `The plugin "${plugin}" refused ${asks.method}: ${said}`;
  const info = { retryable: false, sourceErrorCode: String(error.code) };
  if (error.code === resourceNotFound) return new GumError("RESOURCE_NOT_FOUND", message, info);
  return new GumError(error.code === invalidParams ? "INVALID_ARGS" : "SERVICE_DOWN", message, info);
}
