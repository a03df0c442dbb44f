// valibot either drops unknown keys or reports one of them; authors need all of them, with the nearest name (M4).
import type * as v from "valibot";
import { nearest } from "../base/suggest.ts";
import type { DocumentPath } from "../model/document.ts";
import { isTable } from "./access.ts";
import { renderPath } from "./document.ts";

export interface UnknownField {
  readonly path: DocumentPath;
  /** What may have been meant: a name at the same place, or a known field elsewhere. */
  readonly meant: string | undefined;
}

/** What a model does not say about a value: keys that it does not know, and lists where it wants objects. */
export interface Surplus {
  readonly unknown: UnknownField[];
  readonly lists: DocumentPath[];
}

/** Everything in the value that the model passes over. */
export function findSurplus(model: v.GenericSchema, value: unknown): Surplus {
  const surplus: Surplus = { unknown: [], lists: [] };
  visit(model, value, [], { root: model, surplus });
  return surplus;
}

/** Looking for the nearest name costs time, and nobody reads more. */
const mostUnknown = 100;

interface Walk {
  readonly root: v.GenericSchema;
  readonly surplus: Surplus;
}

function visit(model: v.GenericSchema, value: unknown, path: DocumentPath, walk: Walk): void {
  const parts = partsOf(model);
  if (parts.wrapped !== undefined) {
    visit(parts.wrapped, value, path, walk);
  } else if (parts.item !== undefined) {
    if (!Array.isArray(value)) return;
    for (const [index, child] of value.entries()) visit(parts.item, child, [...path, index], walk);
  } else if (parts.entries !== undefined || parts.isMap) {
    if (Array.isArray(value)) walk.surplus.lists.push(path);
    else if (isTable(value) && parts.entries !== undefined)
      visitTable(model, parts.entries, value, path, walk);
  }
}

function visitTable(
  model: v.GenericSchema,
  entries: Readonly<Record<string, v.GenericSchema>>,
  value: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  walk: Walk,
): void {
  for (const [key, child] of Object.entries(value)) {
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (known !== undefined) visit(known, child, [...path, key], walk);
    else if (!key.startsWith("x-") && isClosed(model, path) && walk.surplus.unknown.length < mostUnknown) {
      const meant = nearest(key, Object.keys(entries)) ?? elsewhere(walk.root, key);
      walk.surplus.unknown.push({ path: [...path, key], meant });
    }
  }
}

/** Open tables pass unknown keys, except that the top of mcp-plugin.json is worth a warning. */
function isClosed(model: v.GenericSchema, path: DocumentPath): boolean {
  return model.type === "object" || path.length === 0;
}

function elsewhere(model: v.GenericSchema, key: string, path: DocumentPath = []): string | undefined {
  const { wrapped, item, entries } = partsOf(model);
  if (wrapped !== undefined) return elsewhere(wrapped, key, path);
  if (item !== undefined) return elsewhere(item, key, path);
  if (entries === undefined) return undefined;
  if (path.length > 0 && Object.hasOwn(entries, key)) return renderPath([...path, key]);
  for (const [name, child] of Object.entries(entries)) {
    const found = elsewhere(child, key, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Parts {
  readonly wrapped?: v.GenericSchema | undefined;
  readonly item?: v.GenericSchema | undefined;
  readonly entries?: Readonly<Record<string, v.GenericSchema>> | undefined;
  readonly isMap: boolean;
}

function partsOf(model: v.GenericSchema): Parts {
  return {
    wrapped: "wrapped" in model && isModel(model.wrapped) ? model.wrapped : undefined,
    item: "item" in model && isModel(model.item) ? model.item : undefined,
    entries: "entries" in model && isEntries(model.entries) ? model.entries : undefined,
    isMap: model.type === "record",
  };
}

function isModel(part: unknown): part is v.GenericSchema {
  return isTable(part) && part.kind === "schema";
}

function isEntries(part: unknown): part is Readonly<Record<string, v.GenericSchema>> {
  return isTable(part) && Object.values(part).every(isModel);
}
