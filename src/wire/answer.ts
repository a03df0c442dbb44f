// W8: what a tool call's result means. Nothing that cannot be decoded becomes a success.

import { canonicalJson } from "../base/digest.ts";
import { GumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import type { Answer, PluginLocalError } from "../model/session.ts";
import { isTooDeep } from "./frames.ts";

type Envelope = Readonly<Record<string, unknown>> & { readonly success: boolean };

interface ToolResult {
  readonly content: readonly unknown[];
  readonly structured: unknown;
  readonly isError: boolean;
}

/** The plugin's answer in a CallToolResult; throws SERVICE_DOWN when the result is not one. */
export function readAnswer(value: unknown): Answer {
  const result = readResult(value);
  const texts = result.content.flatMap((block) => textOf(block) ?? []);
  const found = findEnvelope(texts) ?? structuredEnvelope(result.structured);
  if (found !== undefined && !found.envelope.success) return { ok: false, error: readError(found.envelope) };
  if (result.isError || (found !== undefined && !Object.hasOwn(found.envelope, "data"))) {
    const code = result.isError ? null : stringOr(found?.envelope.error_code, null);
    return { ok: false, error: { code, message: texts.join("\n"), retryable: false } };
  }
  return found === undefined ? wrap(result, texts) : passThrough(found, result.content);
}

function readResult(value: unknown): ToolResult {
  if (!isRecord(value)) throw malformed("it is not an object");
  const { content, structuredContent, isError } = value;
  if (content !== undefined && !Array.isArray(content)) throw malformed("its content is not a list");
  if (content === undefined && structuredContent === undefined) throw malformed("it has no content");
  if (isError !== undefined && typeof isError !== "boolean")
    throw malformed("its isError is not true or false");
  return { content: content ?? [], structured: structuredContent, isError: isError ?? false };
}

function malformed(why: string): GumError {
  return new GumError(
    "SERVICE_DOWN",
    `The plugin answered with something that is not a tool result: ${why}.`,
    {
      hint: "report it to the plugin's author",
      sourceErrorCode: null,
      retryable: false,
    },
  );
}

function findEnvelope(texts: readonly string[]): { envelope: Envelope; text: string } | undefined {
  for (const text of texts) {
    const envelope = asEnvelope(parse(text));
    if (envelope !== undefined) return { envelope, text };
  }
  return undefined;
}

function structuredEnvelope(structured: unknown): { envelope: Envelope; text?: undefined } | undefined {
  const envelope = asEnvelope(structured);
  return envelope === undefined ? undefined : { envelope };
}

function asEnvelope(value: unknown): Envelope | undefined {
  if (!isRecord(value)) return undefined;
  const { success } = value;
  if (typeof success !== "boolean") return undefined;
  const beside = Object.hasOwn(value, "data") || typeof value.error_code === "string";
  return beside ? { ...value, success } : undefined;
}

function readError(envelope: Envelope): PluginLocalError {
  const retryAfterMs = envelope.retry_after_ms;
  return {
    code: stringOr(envelope.error_code, null),
    message: stringOr(envelope.error, null) ?? stringOr(envelope.message, null) ?? "",
    retryable: envelope.retryable === true,
    ...(typeof retryAfterMs === "number" && Number.isFinite(retryAfterMs) ? { retryAfterMs } : {}),
  };
}

function passThrough(
  found: { envelope: Envelope; text?: string | undefined },
  content: readonly unknown[],
): Answer {
  const others = content.filter((block) => textOf(block) === undefined);
  return success(found.envelope, others, found.text);
}

function wrap(result: ToolResult, texts: readonly string[]): Answer {
  const others = result.content.filter((block) => textOf(block) === undefined);
  if (result.structured !== undefined) {
    // Servers repeat structured content as text for older clients; only text that says something else is kept.
    const said = result.content.filter((block) => {
      const text = textOf(block);
      return text === undefined || !sameJson(parse(text), result.structured);
    });
    return success({ success: true, data: result.structured }, said);
  }
  return success({ success: true, data: dataOf(texts) }, others);
}

/** One JSON object or list stays data; any other text stays text. */
function dataOf(texts: readonly string[]): unknown {
  if (texts.length === 0) return null;
  const [only] = texts;
  const parsed = texts.length === 1 && only !== undefined ? parse(only) : undefined;
  return isRecord(parsed) || Array.isArray(parsed) ? parsed : texts.join("\n");
}

function success(
  payload: Readonly<Record<string, unknown>>,
  content: readonly unknown[],
  text?: string,
): Answer {
  return {
    ok: true,
    payload,
    ...(text === undefined ? {} : { text }),
    ...(content.length === 0 ? {} : { content }),
  };
}

function textOf(block: unknown): string | undefined {
  if (!isRecord(block) || block.type !== "text") return undefined;
  return stringOr(block.text, undefined);
}

function stringOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === "string" ? value : otherwise;
}

function parse(text: string): unknown {
  const start = text.trimStart()[0];
  if ((start !== "{" && start !== "[") || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return a !== undefined && canonicalJson(a) === canonicalJson(b);
}
