// `--expose-tools`: a plugin's tool is called by its own name, and its result reaches the client as the plugin made it.

import { asGumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import type { ServerClient } from "../kernel/server.ts";
import type { RawReply } from "../model/session.ts";
import { contentBlocks } from "./content-blocks.ts";
import type { Hub } from "./hub.ts";
import type { ToolCall } from "./own-tools.ts";
import { callResult, ProtocolFault, type Result, toolFailure } from "./results.ts";

/** The plugin that a name such as `plug.<id>.<tool>` belongs to. */
export function pluginOfTool(name: string): string | undefined {
  return /^plug\.([^.]+)\../s.exec(name)?.[1];
}

/** Calls an exposed tool. The client has named the tool itself, so its own risk class is taken. */
export async function runExposedTool(name: string, call: ToolCall): Promise<Result> {
  const { client, hub, args, signal, onProgress } = call;
  let reply: RawReply | undefined;
  try {
    const envelope = await client.call(
      {
        op: name,
        args,
        confirmation: { kind: "flag", yes: true },
        onProgress,
        onReply: (said) => {
          reply = said;
        },
      },
      { signal, onWarning: (warning) => hub.warn(warning) },
    );
    return rawResult(reply) ?? callResult(envelope);
  } catch (error) {
    if (reply?.kind === "error") throw new ProtocolFault(reply.code, reply.message, reply.data);
    // What the plugin itself called an error is its own answer, and not gum's.
    if (reply !== undefined && asGumError(error).info.sourceErrorCode !== undefined) {
      const raw = rawResult(reply);
      if (raw?.isError === true) return raw;
    }
    return toolFailure(error, { op_id: name, plugin: pluginOfTool(name) });
  }
}

/** The plugin's result, with blocks that a client can read. */
function rawResult(reply: RawReply | undefined): Result | undefined {
  if (reply?.kind !== "result" || !isRecord(reply.value)) return undefined;
  const { content } = reply.value;
  return { ...reply.value, content: contentBlocks(Array.isArray(content) ? content : []) };
}

/** Whether a plugin's resource may be subscribed to: only where its own notices reach the client. */
export async function subscribe(
  hub: Hub,
  client: ServerClient,
  { plugin, uri, on }: { readonly plugin: string; readonly uri: string; readonly on: boolean },
  signal: AbortSignal,
): Promise<Result> {
  if (!hub.exposeTools) {
    throw new ProtocolFault(-32602, "Resources of plugins can be subscribed to with --expose-tools alone");
  }
  const method = on ? "resources/subscribe" : "resources/unsubscribe";
  const reply = await client.ask({ plugin, asks: { method, params: { uri } } }, signal);
  return isRecord(reply) ? reply : {};
}
