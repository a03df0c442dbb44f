// valibot either drops unknown keys or reports one of them; authors need all of them, with the nearest name (M4).

import type * as v from "valibot";
import { isRecord } from "../base/record.ts";
import { nearest } from "../base/suggest.ts";
import type { DocumentPath } from "../model/document.ts";
import { renderPath } from "./document.ts";

export interface UnknownField {
  readonly path: DocumentPath;
  /** What may have been meant: a name at the same place, or a known field elsewhere. */
  readonly meant: string | undefined;
}

/** What follows the path of an unknown field in a finding. */
export function unknownWords(meant: string | undefined): string {
  return `is not a field that gum knows${meant === undefined ? "" : `: did you mean "${meant}"?`}`;
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
  const fitting = parts.options?.find((option) => isFitting(option, value));
  if (fitting !== undefined) {
    visit(fitting, value, path, walk);
  } else if (parts.wrapped !== undefined) {
    visit(parts.wrapped, value, path, walk);
  } else if (parts.item !== undefined) {
    if (!Array.isArray(value)) return;
    for (const [index, child] of value.entries()) visit(parts.item, child, [...path, index], walk);
  } else if (parts.entries !== undefined || parts.isMap) {
    if (Array.isArray(value)) walk.surplus.lists.push(path);
    else if (isRecord(value) && parts.mapped !== undefined) {
      for (const [key, child] of Object.entries(value)) visit(parts.mapped, child, [...path, key], walk);
    } else if (isRecord(value) && parts.entries !== undefined)
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
    else if (!key.startsWith("x-") && walk.surplus.unknown.length < mostUnknown) {
      const near = nearest(key, Object.keys(entries));
      // An open table takes what it likes, but hardly a slip of the pen.
      if (near === undefined && model.type !== "object") continue;
      walk.surplus.unknown.push({ path: [...path, key], meant: near ?? elsewhere(walk.root, key) });
    }
  }
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

/** Which of several models a value is meant for, by its kind alone. */
function isFitting(model: v.GenericSchema, value: unknown): boolean {
  const { wrapped, item, entries, isMap } = partsOf(model);
  if (wrapped !== undefined) return isFitting(wrapped, value);
  return Array.isArray(value) ? item !== undefined : isRecord(value) && (entries !== undefined || isMap);
}

interface Parts {
  readonly options?: readonly v.GenericSchema[] | undefined;
  readonly wrapped?: v.GenericSchema | undefined;
  readonly item?: v.GenericSchema | undefined;
  readonly entries?: Readonly<Record<string, v.GenericSchema>> | undefined;
  readonly isMap: boolean;
  readonly mapped?: v.GenericSchema | undefined;
}

function partsOf(model: v.GenericSchema): Parts {
  return {
    options: "options" in model && Array.isArray(model.options) ? model.options.filter(isModel) : undefined,
    wrapped: "wrapped" in model && isModel(model.wrapped) ? model.wrapped : undefined,
    item: "item" in model && isModel(model.item) ? model.item : undefined,
    entries: "entries" in model && isEntries(model.entries) ? model.entries : undefined,
    isMap: model.type === "record",
    mapped: model.type === "record" && "value" in model && isModel(model.value) ? model.value : undefined,
  };
}

function isModel(part: unknown): part is v.GenericSchema {
  return isRecord(part) && part.kind === "schema";
}

function isEntries(part: unknown): part is Readonly<Record<string, v.GenericSchema>> {
  return isRecord(part) && Object.values(part).every(isModel);
}
