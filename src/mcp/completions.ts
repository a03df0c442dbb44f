// S5: everything offered here is in memory, so that an answer takes no time worth measuring.
import { isRecord } from "../base/record.ts";
import { helpTopics } from "../kernel/help.ts";
import { pipelineNames } from "../kernel/pipeline-texts.ts";
import type { ServerClient } from "../kernel/server.ts";
import { schemaRefs } from "../kernel/server-views.ts";
import type { Hub } from "./hub.ts";
import { findPrompt, listPrompts } from "./prompts.ts";
import { ProtocolFault, type Result, rpcCodes } from "./results.ts";

const most = 100;

/** Answers completion/complete. */
export async function complete(
  hub: Hub,
  client: ServerClient,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Result> {
  const { ref, argument } = params;
  if (!isRecord(ref) || !isRecord(argument)) throw invalid("ref and argument must be objects");
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string")
    throw invalid("argument needs a name and a value");
  if (ref.type === "ref/prompt" && typeof ref.name === "string") {
    if (name === "name" || name === "prompt") return answer(await promptNames(hub, client), value);
    const { plugin, name: prompt } = await findPrompt(hub, client, ref.name);
    const own = { ...params, ref: { ...ref, name: prompt } };
    return forwarded(
      await client.ask({ plugin, asks: { method: "completion/complete", params: own } }, signal),
    );
  }
  if (ref.type !== "ref/resource" || typeof ref.uri !== "string")
    throw invalid("ref must name a prompt or a resource");
  const [, plugin, uri] = /^gum:\/\/plugin\/([^/{}]+)\/resource\/(.+)$/s.exec(ref.uri) ?? [];
  if (plugin !== undefined && uri !== undefined) {
    const own = { ...params, ref: { ...ref, uri } };
    return forwarded(
      await client.ask({ plugin, asks: { method: "completion/complete", params: own } }, signal),
    );
  }
  return answer(await candidates(hub, client, ref.uri, name), value);
}

/** What an argument of a template can be. */
async function candidates(
  hub: Hub,
  client: ServerClient,
  template: string,
  argument: string,
): Promise<readonly string[]> {
  const { server } = hub;
  const { variants, registry, statusOf } = await server.catalog();
  const [, head] = /^gum:\/\/([a-z]+)/.exec(template) ?? [];
  if (argument === "format") return ["json"];
  if (argument === "prompt") return promptNames(hub, client);
  if (argument === "topic") return helpTopics();
  if (argument === "ref") return schemaRefs(server);
  if (argument === "id" && head === "variant") return variants.map((row) => row.variant_id);
  if (argument === "id" || argument === "op_id") return variants.map((row) => row.op_id);
  if (argument === "variant_id") return variants.map((row) => row.variant_id);
  if (argument === "name" && head === "pipelines") return pipelineNames;
  if (argument !== "name" && argument !== "plugin") return [];
  return registry.lock.plugins.map((row) => row.name).filter((plugin) => statusOf(plugin) === "active");
}

async function promptNames(hub: Hub, client: ServerClient): Promise<string[]> {
  return (await listPrompts(hub, client)).map((prompt) => String(prompt.name));
}

/** Names that begin with what was typed, then names that hold it. */
function answer(names: readonly string[], typed: string): Result {
  const wanted = typed.toLowerCase();
  const unique = [...new Set(names)].sort();
  const found = unique.map((name) => ({ name, at: name.toLowerCase().indexOf(wanted) }));
  const beginning = found.filter(({ at }) => at === 0).map(({ name }) => name);
  const holding = found.filter(({ at }) => at > 0).map(({ name }) => name);
  const all = [...beginning, ...holding];
  return { completion: { values: all.slice(0, most), total: all.length, hasMore: all.length > most } };
}

function forwarded(reply: unknown): Result {
  if (!isRecord(reply) || !isRecord(reply.completion) || !Array.isArray(reply.completion.values)) {
    return { completion: { values: [], total: 0, hasMore: false } };
  }
  const values = reply.completion.values.filter((value) => typeof value === "string").slice(0, most);
  return { completion: { ...reply.completion, values } };
}

function invalid(message: string): ProtocolFault {
  return new ProtocolFault(rpcCodes.invalidParams, `Invalid params: ${message}`);
}
