// One line as one JSON object. Its members are looked at twice: as values, and as they were written, since JSON.parse
// keeps the last of two equal keys silently and loses the digits of long numbers.
import { isRecord } from "../base/record.ts";
import { isTooDeep } from "./frames.ts";

export interface JsonObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** The first key that stands there twice. */
  readonly repeated: string | undefined;
  /** A member's value as it was written. */
  written(key: string): string | undefined;
}

export type JsonFault = "not_json" | "too_deep" | "not_object";

/** The object that a line holds, or why it holds none. */
export function readObject(text: string): JsonObject | { readonly fault: JsonFault } {
  if (isTooDeep(text)) return { fault: "too_deep" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "not_json" };
  }
  return isRecord(value) ? objectOf(text, value) : { fault: "not_object" };
}

/** The object that stands as a member of another; undefined when the member is something else. */
export function memberObject(parent: JsonObject, key: string): JsonObject | undefined {
  const value = ownValue(parent, key);
  const text = parent.written(key);
  return isRecord(value) && text !== undefined ? objectOf(text, value) : undefined;
}

/** A member that is really there, whatever names objects have by birth. */
export function ownValue({ value }: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function objectOf(text: string, value: Readonly<Record<string, unknown>>): JsonObject {
  const spans = new Map<string, readonly [start: number, end: number]>();
  let repeated: string | undefined;
  eachMember(text, (key, start, end) => {
    if (spans.has(key)) repeated ??= key;
    spans.set(key, [start, end]);
  });
  return {
    value,
    repeated,
    written(key) {
      const span = spans.get(key);
      return span === undefined ? undefined : text.slice(...span);
    },
  };
}

/** Walks the members of an object that JSON.parse has accepted. */
function eachMember(text: string, take: (key: string, start: number, end: number) => void): void {
  let at = skipSpace(text, text.indexOf("{") + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    take(String(key), start, end);
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== "{" && first !== "[") {
    let at = start;
    while (at < text.length && !/[,}\]\s]/.test(text.charAt(at))) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Behind the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (text[next] === " " || text[next] === "\t" || text[next] === "\n" || text[next] === "\r") next++;
  return next;
}
