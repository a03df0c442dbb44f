// W11: what a line of the newline-JSON protocol says. Fields that it does not know, such as `jsonrpc`, are ignored.
import { type JsonObject, memberObject, ownValue, readObject } from "./json-line.ts";

/** An answer as the plugin gave it: exactly one of the two. */
export type JsonlReply =
  | { readonly id: string | number; readonly result: unknown }
  | { readonly id: string | number; readonly error: JsonlError };

export interface JsonlError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type ReadReply =
  | {
      readonly kind: "reply";
      readonly reply: JsonlReply;
      /** The result as it was written; undefined for an error. */
      readonly written: string | undefined;
    }
  | { readonly kind: "InvalidJson"; readonly why: string }
  | { readonly kind: "InvalidResponse"; readonly why: string; readonly id: unknown };

/** Reads one line; what is wrong with it is told, with its id where that can be read. */
export function readReply(text: string): ReadReply {
  const read = readObject(text);
  if ("fault" in read) {
    if (read.fault === "not_object") return { kind: "InvalidResponse", why: "is no object", id: undefined };
    const why = read.fault === "too_deep" ? "is nested too deeply" : "is not JSON";
    return { kind: "InvalidJson", why };
  }
  const id = ownValue(read, "id");
  const invalid = (why: string): ReadReply => ({ kind: "InvalidResponse", why, id });
  if (read.repeated !== undefined) {
    return { kind: "InvalidResponse", why: `has "${read.repeated}" twice`, id: undefined };
  }
  if (typeof id !== "string" && typeof id !== "number")
    return invalid("has no id that is a text or a number");
  const [hasResult, hasError] = [Object.hasOwn(read.value, "result"), Object.hasOwn(read.value, "error")];
  if (hasResult && hasError) return invalid("has both a result and an error");
  if (hasResult) {
    return { kind: "reply", reply: { id, result: read.value.result }, written: read.written("result") };
  }
  if (!hasError) return invalid("has neither a result nor an error");
  const error = readError(read);
  if (typeof error === "string") return invalid(error);
  return { kind: "reply", reply: { id, error }, written: undefined };
}

function readError(line: JsonObject): JsonlError | string {
  const error = memberObject(line, "error");
  if (error === undefined) return "has an error that is no object";
  if (error.repeated !== undefined) return `has "${error.repeated}" twice in its error`;
  const [code, message] = [ownValue(error, "code"), ownValue(error, "message")];
  if (typeof code !== "number" || !Number.isSafeInteger(code)) return "has an error whose code is no integer";
  if (typeof message !== "string") return "has an error whose message is no text";
  const data = ownValue(error, "data");
  return { code, message, ...(data === undefined ? {} : { data }) };
}
