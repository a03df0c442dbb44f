import type { Read } from "./json-reader.ts";
import type { Mark } from "./marks.ts";
import { ReadFault } from "./read-fault.ts";
import { scanToml } from "./toml-scanner.ts";

/** The value of a TOML text as plain JSON, and where each part of it stands; throws ReadFault. */
export async function readToml(text: string): Promise<Read> {
  const { marks, stopped } = scanToml(text);
  // The parser must not see keys that were not scanned.
  const known = stopped === undefined ? text : text.slice(0, stopped.offset + 1);
  const parsed = await parse(known, stopped);
  if (stopped !== undefined) throw atControl(stopped, text) ?? stopped;
  return { value: plain(parsed, marks), marks };
}

async function parse(text: string, stopped: ReadFault | undefined): Promise<unknown> {
  // Loaded here, since most manifests are JSON and the parser would cost every start.
  const toml = await import("@iarna/toml");
  try {
    return toml.parse(text);
  } catch (error) {
    const fault = faultOf(error, text, stopped);
    throw atControl(fault, text) ?? redefined(fault, text) ?? fault;
  }
}

/** Whatever the parser throws is the text's fault; its line counts from 0, its column from 1 on the first line only. */
function faultOf(error: unknown, text: string, stopped: ReadFault | undefined): ReadFault {
  const message = error instanceof Error ? firstSentence(error.message) : "unreadable TOML";
  if (!(error instanceof Error) || !("line" in error) || !("col" in error)) {
    return stopped ?? new ReadFault(message, badDate(text));
  }
  const line = Number(error.line);
  let start = 0;
  for (let passed = 0; passed < line; passed += 1) start = text.indexOf("\n", start) + 1;
  const column = Math.max(0, Number(error.col) - (line === 0 ? 1 : 0));
  return new ReadFault(message, Math.min(text.length, start + column));
}

/** The parser shows such a character by its number, or as itself, which nobody can see. */
function atControl({ offset }: ReadFault, text: string): ReadFault | undefined {
  for (const at of [offset, offset - 1]) {
    const code = text.charCodeAt(at);
    if (!(code < 0x20 || code === 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d) continue;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    return new ReadFault(`the control character ${name} is not allowed`, at);
  }
  return undefined;
}

/** The parser knows which table or key stands twice, but does not say it. */
function redefined({ message, offset }: ReadFault, text: string): ReadFault | undefined {
  if (message !== "can't redefine existing key") return undefined;
  // It stops behind the key, which may be on the next line already.
  const end = text.slice(0, offset).trimEnd().length;
  const start = text.lastIndexOf("\n", end - 1) + 1;
  const written = text.slice(start).split("\n", 1)[0] ?? "";
  const [, header, key = ""] = /^\s*(?:\[+\s*([^\]]*?)\s*\]|([^=]*?)\s*=)/.exec(written) ?? [];
  const name = JSON.stringify(header ?? key);
  const at = start + written.length - written.trimStart().length;
  const what = header === undefined ? "key" : "table";
  return new ReadFault(`the ${what} ${name} is there already, and cannot be made anew`, at);
}

function firstSentence(message: string): string {
  const sentence = message.replace(/ at row \d+, col \d+, pos \d+:.*$/s, "").replace(/\.$/, "");
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Impossible dates are the one fault that the parser reports without a position. */
function badDate(text: string): number {
  for (const match of text.matchAll(/\d{4}-\d{2}-\d{2}[T ]?[\d:.]*|\d{2}:\d{2}:\d{2}[.\d]*/g)) {
    const written = match[0].trim();
    const date = written.includes("-") ? written.replace(" ", "T") : `1970-01-01T${written}Z`;
    if (Number.isNaN(Date.parse(date))) return match.index;
  }
  return 0;
}

/** Dates become text, as in JSON; numbers that JSON cannot hold are refused. */
function plain(value: unknown, mark: Mark): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") throw new ReadFault("the number is too large", mark.at);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new ReadFault("inf and nan are not allowed", mark.at);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => plain(item, mark.children?.get(index) ?? mark));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) copy[key] = plain(item, mark.children?.get(key) ?? mark);
  return copy;
}
