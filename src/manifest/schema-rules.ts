// What every JSON Schema 2020-12 document must look like, so that a broken one is refused at install and not at
// the first call. The real validator is loaded only to run schemas.
import { isRecord } from "../base/record.ts";
import type { DocumentPath } from "../model/document.ts";
import { show } from "./models/parts.ts";

export interface SchemaFault {
  readonly path: DocumentPath;
  readonly predicate: string;
}

const types = ["null", "boolean", "object", "array", "number", "string", "integer"];
const schemaKeys = new Set([
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "not",
  "if",
  "then",
  "else",
]);
const schemaMaps = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const counts = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
]);
const numbers = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]);

/** Every keyword below `schema` whose value has the wrong form. */
export function schemaFaults(schema: unknown, path: DocumentPath): SchemaFault[] {
  const faults: SchemaFault[] = [];
  visit(schema, path, faults);
  return faults;
}

function visit(schema: unknown, path: DocumentPath, faults: SchemaFault[]): void {
  if (typeof schema === "boolean") return;
  if (!isRecord(schema)) {
    faults.push({ path, predicate: `must be a schema, not ${show(schema)}` });
    return;
  }
  for (const [key, value] of Object.entries(schema)) {
    const here = [...path, key];
    if (schemaKeys.has(key)) visit(value, here, faults);
    else if (schemaMaps.has(key)) visitMap(value, here, faults);
    else if (schemaLists.has(key)) visitList(value, here, faults);
    else {
      const predicate = keywordFault(key, value);
      if (predicate !== undefined) faults.push({ path: here, predicate });
    }
  }
}

function visitMap(value: unknown, path: DocumentPath, faults: SchemaFault[]): void {
  if (!isRecord(value)) {
    faults.push({ path, predicate: "must be an object of schemas" });
    return;
  }
  for (const [name, schema] of Object.entries(value)) {
    if (path.at(-1) === "patternProperties" && !compiles(name)) {
      faults.push({ path: [...path, name], predicate: "is not a regular expression" });
    }
    visit(schema, [...path, name], faults);
  }
}

function visitList(value: unknown, path: DocumentPath, faults: SchemaFault[]): void {
  if (!Array.isArray(value) || value.length === 0) {
    faults.push({ path, predicate: "must be a list of at least one schema" });
    return;
  }
  for (const [index, schema] of value.entries()) visit(schema, [...path, index], faults);
}

function keywordFault(key: string, value: unknown): string | undefined {
  if (key === "type")
    return isType(value) ? undefined : `must be one or more of ${types.join(", ")}, not ${show(value)}`;
  if (key === "required") return isTexts(value) ? undefined : "must be a list of names";
  if (key === "enum") return Array.isArray(value) ? undefined : "must be a list";
  if (key === "pattern") {
    return typeof value === "string" && compiles(value)
      ? undefined
      : `is not a regular expression: ${show(value)}`;
  }
  if (counts.has(key))
    return Number.isInteger(value) && Number(value) >= 0 ? undefined : "must be a whole number";
  if (numbers.has(key)) return typeof value === "number" ? undefined : "must be a number";
  if (key === "$ref") return typeof value === "string" ? undefined : "must be text";
  return undefined;
}

function isType(value: unknown): boolean {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  return names.length > 0 && names.every((name) => typeof name === "string" && types.includes(name));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
