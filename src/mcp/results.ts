// Results of tools and errors of the protocol. What a tool could not do is a result (S7); only what the protocol itself
// cannot do is an error of it.
import { asGumError, type GumError } from "../base/errors.ts";
import {
  type FailureContext,
  failureEnvelope,
  payloadText,
  type SuccessEnvelope,
} from "../model/envelope.ts";
import { contentBlocks } from "./content-blocks.ts";

/** A CallToolResult, or any other result of a request. */
export type Result = Record<string, unknown>;

/** An error of the protocol; `code` and `data` go to the client as they are. */
export class ProtocolFault extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const rpcCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
} as const;

/** The result of a tool of gum's own. */
export function toolResult(value: Readonly<Record<string, unknown>>): Result {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** The result of a call: the payload as text and as a value, and beside it what else the plugin gave. */
export function callResult(envelope: SuccessEnvelope): Result {
  const { payload, content, meta } = envelope;
  const text = payloadText({ ...envelope, content: undefined });
  return {
    content: [{ type: "text", text }, ...contentBlocks(content ?? [])],
    structuredContent: payload,
    _meta: { gum: meta },
  };
}

/** The result of a tool that failed (D8). */
export function toolFailure(thrown: unknown, context: FailureContext = {}): Result {
  const envelope = JSON.parse(JSON.stringify(failureEnvelope(asGumError(thrown), context)));
  return {
    content: [{ type: "text", text: JSON.stringify(envelope) }],
    structuredContent: envelope,
    isError: true,
  };
}

/** The error of a request that is not a tool call. */
export function protocolFault(thrown: unknown): ProtocolFault {
  if (thrown instanceof ProtocolFault) return thrown;
  const error = asGumError(thrown);
  return new ProtocolFault(codeFor(error), error.message, failureEnvelope(error));
}

function codeFor({ code }: GumError): number {
  if (code.endsWith("_NOT_FOUND")) return rpcCodes.resourceNotFound;
  return code === "INVALID_ARGS" || code === "USAGE" ? rpcCodes.invalidParams : rpcCodes.internal;
}
