// What gum is to a plugin: the capabilities it announces and its answers to the plugin's own requests.
import { isRecord } from "../base/record.ts";
import type { Peer } from "../model/session.ts";

/**
 * One fixed set for canary, call and exposed tools: a server may list other tools to a client that can do other things,
 * and pins would then differ.
 */
export const clientCapabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: {},
} as const;

const forwarded = ["sampling/createMessage", "elicitation/create", "roots/list"];

/** An error that the plugin gets as its answer. */
export class RequestRefused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The answer to a request of the plugin. */
export async function answerPlugin(
  peer: Peer | undefined,
  request: { readonly method: string; readonly params?: unknown },
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { method } = request;
  if (!forwarded.includes(method)) throw new RequestRefused(-32601, "Method not found");
  if (peer?.request !== undefined) {
    return peer.request(method, isRecord(request.params) ? request.params : undefined, signal);
  }
  if (method === "roots/list") return { roots: [] };
  if (method === "elicitation/create") return { action: "cancel" };
  throw new RequestRefused(-32601, "No model is behind this call");
}
