// D8: what a call answers, as scripts and agents see it. Names are spelt as on the wire.
import { type ErrorCode, errorCodes } from "../base/error-codes.ts";
import type { GumError, Place } from "../base/errors.ts";

export interface CallMeta {
  readonly op_id: string;
  readonly variant_id: string;
  readonly plugin: string;
  readonly version: string;
  readonly duration_ms: number;
  readonly [key: string]: unknown;
}

/** A call that went well. `payload` is what the plugin answered, itself `{ success: true, data }`. */
export interface SuccessEnvelope {
  readonly success: true;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The payload as the plugin wrote it, when it was JSON text: long numbers keep their digits, keys their order. */
  readonly text?: string | undefined;
  /** Blocks that the plugin gave beside the payload: images, audio, links. */
  readonly content?: readonly unknown[] | undefined;
  readonly meta: CallMeta;
}

export interface FailureEnvelope {
  readonly success: false;
  readonly error_code: ErrorCode;
  readonly error: string;
  readonly retryable: boolean;
  readonly retry_after_ms?: number | undefined;
  readonly source_error_code?: string | null | undefined;
  readonly failure_code?: string | undefined;
  readonly plugin: string | null;
  readonly op_id: string | null;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export type Envelope = SuccessEnvelope | FailureEnvelope;

/** What the caller knows about where a failure happened. */
export interface FailureContext {
  readonly plugin?: string | undefined;
  readonly op_id?: string | undefined;
  /** What the command line named, which may not exist: only hints use it. */
  readonly asked?: HintNames | undefined;
}

/** What stands in a hint for `<id>` and `<op>`. */
export interface HintNames {
  readonly plugin?: string | undefined;
  readonly op_id?: string | undefined;
}

/** The failure as callers get it; what is undefined is left out of its JSON. */
export function failureEnvelope(error: GumError, context: FailureContext = {}): FailureEnvelope {
  const { info, code, message } = error;
  const details = detailsOf(info.details, info.at);
  return {
    success: false,
    error_code: code,
    error: message,
    retryable: info.retryable ?? false,
    ...(info.retryAfterMs === undefined ? {} : { retry_after_ms: info.retryAfterMs }),
    ...(info.sourceErrorCode === undefined ? {} : { source_error_code: info.sourceErrorCode }),
    ...(info.failureCode === undefined ? {} : { failure_code: info.failureCode }),
    plugin: context.plugin ?? null,
    op_id: context.op_id ?? null,
    hint: hintOf(error, context),
    ...(details === undefined ? {} : { details }),
  };
}

/** What to do next, with the names that the context, the error itself or the command line knows. */
export function hintOf({ code, info }: GumError, context: FailureContext = {}): string {
  const told = (key: string): string | undefined => {
    const value = info.details?.[key];
    return typeof value === "string" ? value : undefined;
  };
  return hintFor(code, info.hint, {
    plugin: context.plugin ?? told("plugin") ?? context.asked?.plugin,
    op_id: context.op_id ?? told("op_id") ?? context.asked?.op_id,
  });
}

/** The error's own hint, else the code's, with names in place of `<id>` and `<op>`. */
export function hintFor(code: ErrorCode, own: string | undefined, names: HintNames): string {
  const hint = own ?? errorCodes[code].hint;
  const filled = names.plugin === undefined ? hint : hint.replaceAll("<id>", names.plugin);
  return names.op_id === undefined ? filled : filled.replaceAll("<op>", names.op_id);
}

/** The place stands among the details, unless the findings already tell it. */
function detailsOf(
  details: Readonly<Record<string, unknown>> | undefined,
  at: Place | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (at === undefined || details?.findings !== undefined) return details;
  return { ...details, at };
}

/** The payload alone, compact: exactly what the plugin answered, and the blocks beside it, if any, as `content`. */
export function payloadText({ payload, text, content }: SuccessEnvelope): string {
  const said = text === undefined ? JSON.stringify(payload) : compactJson(text);
  if (content === undefined || content.length === 0 || Object.hasOwn(payload, "content")) return said;
  return `${said.slice(0, -1)},"content":${JSON.stringify(content)}}`;
}

/** The payload with gum's `_meta` as its last key. */
export function envelopeText(envelope: SuccessEnvelope): string {
  const { payload, content, meta } = envelope;
  if (Object.hasOwn(payload, "_meta") || Object.keys(payload).length === 0) {
    return JSON.stringify({ ...(content === undefined ? {} : { content }), ...payload, _meta: meta });
  }
  return `${payloadText(envelope).slice(0, -1)},"_meta":${JSON.stringify(meta)}}`;
}

/** JSON text without the white space between its tokens; every token stays as it was written. */
export function compactJson(text: string): string {
  return text.replace(
    /("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\n\r]+/g,
    (_, quoted: string | undefined) => quoted ?? "",
  );
}
