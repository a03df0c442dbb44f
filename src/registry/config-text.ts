// Reads the text of a TOML file, and changes one key in it so that every other line stays as the user wrote it.
// Loaded on demand: the TOML library costs two milliseconds of start-up.
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "@iarna/toml";
import { firstDate, type Mark } from "../base/marks.ts";
import { ReadFault } from "../base/read-fault.ts";
import { isRecord } from "../base/record.ts";
import { readToml } from "../base/toml-reader.ts";

interface Entry {
  readonly key: string;
  /** Lines from `first` to `last`, counted from 0. */
  readonly first: number;
  readonly last: number;
}

/** A dotted key, its value (arrays are values), and where the key stands. */
export interface TableEntry {
  readonly key: string;
  readonly value: unknown;
  readonly offset: number;
}

/** Every dotted key of the text; throws ReadFault on bad syntax. */
export async function readTable(text: string): Promise<TableEntry[]> {
  const { value, marks } = await readToml(text);
  const date = firstDate(marks);
  if (date !== undefined) throw new ReadFault("a date must be written in quotes", date.at);
  return flatten(value, marks, "");
}

/** The text with `table.leaf` set, or removed when the value is undefined. */
export async function changeKey(
  text: string,
  key: string,
  value: boolean | number | string | readonly string[] | undefined,
): Promise<string> {
  const wanted = new Map((await readTable(text)).map((entry) => [entry.key, entry.value]));
  if (value === undefined) wanted.delete(key);
  else wanted.set(key, value);
  const edited = editLines(text, key, value);
  return (await isSame(edited, wanted)) ? edited : rewritten(wanted);
}

function editLines(
  text: string,
  key: string,
  value: boolean | number | string | readonly string[] | undefined,
): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const [table = "", leaf = ""] = key.split(".");
  const entry = entriesOf(lines).find((one) => one.key === key);
  if (entry !== undefined) {
    const line = lines[entry.first] ?? "";
    const name = line.slice(0, line.indexOf("="));
    const put = value === undefined ? [] : [`${name.trimEnd()} = ${shown(value)}${commentOf(lines, entry)}`];
    lines.splice(entry.first, entry.last - entry.first + 1, ...put);
  } else if (value !== undefined) {
    const end = endOfTable(lines, table);
    if (end !== undefined) lines.splice(end, 0, `${leaf} = ${shown(value)}`);
    else lines.push(...(lines.length > 0 ? [""] : []), `[${table}]`, `${leaf} = ${shown(value)}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function shown(value: boolean | number | string | readonly string[]): string {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  return `[${value.map((word) => JSON.stringify(word)).join(", ")}]`;
}

/** The comment behind a value of one line, with the blanks before it. */
function commentOf(lines: readonly string[], entry: Entry): string {
  const line = lines[entry.first] ?? "";
  if (entry.first !== entry.last) return "";
  for (let at = line.indexOf("#"); at >= 0; at = line.indexOf("#", at + 1)) {
    if (parses(line.slice(0, at))) return line.slice(line.slice(0, at).trimEnd().length);
  }
  return "";
}

/** Where a further key of the table goes: behind its last line with content. */
function endOfTable(lines: readonly string[], table: string): number | undefined {
  const head = lines.findIndex((line) => tableName(line) === table);
  if (head < 0) return undefined;
  let end = head + 1;
  for (let at = head + 1; at < lines.length && tableName(lines[at] ?? "") === undefined; at++) {
    if ((lines[at] ?? "").trim() !== "") end = at + 1;
  }
  return end;
}

/** Every `key = value`, found by letting the TOML library say where a value ends. */
function entriesOf(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  let table = "";
  for (let first = 0; first < lines.length; first++) {
    const line = lines[first] ?? "";
    const named = tableName(line);
    if (named !== undefined) table = named;
    const name = /^\s*([A-Za-z0-9_."'-]+(?:\s*\.\s*[A-Za-z0-9_"'-]+)*)\s*=/.exec(line)?.[1];
    if (named !== undefined || name === undefined) continue;
    let last = first;
    while (last < lines.length && !parses(lines.slice(first, last + 1).join("\n"))) last++;
    if (last === lines.length) continue;
    const leaf = name.replace(/["'\s]/g, "");
    entries.push({ key: table === "" ? leaf : `${table}.${leaf}`, first, last });
    first = last;
  }
  return entries;
}

function tableName(line: string): string | undefined {
  return /^\s*\[\s*([A-Za-z0-9_."'\s-]+?)\s*\]\s*(?:#.*)?$/.exec(line)?.[1]?.replace(/["'\s]/g, "");
}

function parses(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

async function isSame(text: string, wanted: ReadonlyMap<string, unknown>): Promise<boolean> {
  if (!parses(text)) return false;
  const found = new Map((await readTable(text)).map(({ key, value }) => [key, value]));
  return isDeepStrictEqual(found, wanted);
}

/** The last resort, for a file that is written in a way which a line edit would break: comments are lost. */
function rewritten(wanted: ReadonlyMap<string, unknown>): string {
  const tables: Record<string, Record<string, string | number | boolean | string[]>> = {};
  for (const [key, value] of wanted) {
    const [table = "", leaf = ""] = key.split(".");
    const rows = tables[table] ?? {};
    tables[table] = rows;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      rows[leaf] = value;
    else if (Array.isArray(value)) rows[leaf] = value.map(String);
  }
  return stringify(tables);
}

function flatten(table: unknown, mark: Mark, prefix: string): TableEntry[] {
  if (!isRecord(table)) return [];
  return Object.entries(table).flatMap(([name, value]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    const own = mark.children?.get(name) ?? mark;
    return isRecord(value) ? flatten(value, own, key) : [{ key, value, offset: own.key }];
  });
}
