import { isRecord } from "../base/record.ts";
// One line of a plugin's stdout as JSON-RPC messages. Fields that JSON-RPC does not know are dropped here,
// because the SDK refuses a whole message for one of them.

export type Frame =
  | { readonly kind: "result"; readonly id: unknown; readonly value: unknown }
  | { readonly kind: "error"; readonly id: unknown; readonly error: RpcFault }
  | {
      readonly kind: "request";
      readonly id: string | number;
      readonly method: string;
      readonly params: Params;
    }
  | { readonly kind: "notification"; readonly method: string; readonly params: Params };

export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Params = Readonly<Record<string, unknown>> | undefined;

/** Deeper JSON than this is refused before it is parsed: walking it later could exhaust the stack. */
export const maxDepth = 512;

/** The messages in a line (a batch holds several), or the reason why it is not protocol. */
export function readFrames(
  text: string,
): readonly Frame[] | { readonly fault: "not_json" | "not_rpc" | "too_deep" } {
  if (isTooDeep(text)) return { fault: "too_deep" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "not_json" };
  }
  const frames: Frame[] = [];
  for (const message of Array.isArray(value) ? value : [value]) {
    const frame = readFrame(message);
    if (frame === undefined) return { fault: "not_rpc" };
    frames.push(frame);
  }
  return frames.length === 0 ? { fault: "not_rpc" } : frames;
}

function readFrame(message: unknown): Frame | undefined {
  if (!isRecord(message) || message.jsonrpc !== "2.0") return undefined;
  const { id, method, params } = message;
  if (typeof method === "string") {
    const named = isRecord(params) ? params : undefined;
    if (id === undefined) return { kind: "notification", method, params: named };
    return typeof id === "string" || typeof id === "number"
      ? { kind: "request", id, method, params: named }
      : undefined;
  }
  const hasResult = Object.hasOwn(message, "result");
  const hasError = Object.hasOwn(message, "error");
  if (hasResult === hasError) return undefined;
  if (hasResult) return { kind: "result", id, value: message.result };
  return { kind: "error", id, error: readFault(message.error) };
}

/** An error stays an error however badly it is written. */
function readFault(value: unknown): RpcFault {
  if (!isRecord(value)) return { code: -32603, message: typeof value === "string" ? value : "" };
  const { code, message, data } = value;
  return {
    code: typeof code === "number" && Number.isInteger(code) ? code : -32603,
    message: typeof message === "string" ? message : "",
    ...(data === undefined ? {} : { data }),
  };
}

/** True when JSON text nests deeper than gum will walk. */
export function isTooDeep(text: string): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === 0x22) i = endOfString(text, i);
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > maxDepth) return true;
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Parameters for the SDK, without a `_meta` that it would refuse the whole message for. */
export function withParams(params: Params): { params?: Record<string, unknown> } {
  if (params === undefined) return {};
  const { _meta: meta, ...rest } = params;
  if (!isRecord(meta)) return { params: rest };
  const token = meta.progressToken;
  const { progressToken: _, "io.modelcontextprotocol/related-task": __, ...kept } = meta;
  const usable = typeof token === "string" || (typeof token === "number" && Number.isInteger(token));
  return { params: { ...rest, _meta: usable ? { ...kept, progressToken: token } : kept } };
}
