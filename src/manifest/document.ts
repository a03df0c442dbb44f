import type { Place } from "../base/errors.ts";
import type { Mark } from "../base/marks.ts";
import type { Dialect, DocumentPath, ManifestDocument, ManifestName } from "../model/document.ts";

/** Lines longer than this are not shown with a finding: one of them may be the whole file. */
const longestShownLine = 400;

/** A document over values and marks that a reader has found in the text. */
export function makeDocument(
  file: ManifestName,
  text: string,
  value: Readonly<Record<string, unknown>>,
  marks: Mark,
): ManifestDocument {
  const lines = lineStarts(text);
  return {
    file,
    dialect: dialectOf(file, value),
    text,
    value,
    placeOf: (path) => placeAt(file, text, lines, lastMark(marks, path).at),
    keyPlaceOf: (path) => placeAt(file, text, lines, lastMark(marks, path).key),
    isFloat: (path) => lastMark(marks, path).literal === "float",
  };
}

/** The place of an offset in a text that is not a document yet. */
export function placeIn(file: string, text: string, offset: number): Place {
  return placeAt(file, text, lineStarts(text), offset);
}

/** `advertised_tools[2].risk_class`; keys that are not plain words are quoted. */
export function renderPath(path: DocumentPath): string {
  let rendered = "";
  for (const part of path) {
    if (typeof part === "number") rendered += `[${part}]`;
    else if (!/^[A-Za-z0-9_$-]+$/.test(part)) rendered += `[${JSON.stringify(part)}]`;
    else rendered += rendered === "" ? part : `.${part}`;
  }
  return rendered;
}

function dialectOf(file: ManifestName, value: Readonly<Record<string, unknown>>): Dialect {
  if (file === "mcp-plugin.json") return "esm";
  const has = (...keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(value, key));
  if (has("plugin")) return "nested";
  return has("package", "tools") && !has("plugin_id", "advertised_tools") ? "nested" : "flat";
}

/** The mark of a path, or of its nearest ancestor that is there. */
export function lastMark(root: Mark, path: DocumentPath): Mark {
  let mark = root;
  for (const part of path) {
    const child = mark.children?.get(part);
    if (child === undefined) return mark;
    mark = child;
  }
  return mark;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}

function placeAt(file: string, text: string, starts: readonly number[], offset: number): Place {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const start = starts[low] ?? 0;
  const end = (starts[low + 1] ?? text.length + 1) - 1;
  const place = { file, line: low + 1, column: offset - start + 1 };
  return end - start > longestShownLine
    ? place
    : { ...place, text: text.slice(start, end).replace(/\r$/, "") };
}
