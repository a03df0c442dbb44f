import type { Mark } from "../base/marks.ts";
import { lineStarts, placeAt } from "../base/place.ts";
import type { Dialect, DocumentPath, ManifestDocument, ManifestName } from "../model/document.ts";

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
