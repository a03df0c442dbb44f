import { isRecord } from "../base/record.ts";
import { type Table, tableOf } from "./access.ts";
import { resolve } from "./schema-bundle.ts";

/** Schemas that refer to themselves unfold without end; beyond this the whole response counts as nullable. */
const mostSteps = 20_000;
const deepest = 16;

/** Dotted paths of a response whose value may be null as its schema declares it; `[]` steps into arrays, `*` is all. */
export function nullablePaths(schema: Table): string[] {
  const walk: Walk = { definitions: tableOf(schema.$defs), found: new Set(), steps: 0 };
  visit(schema, "", 0, walk);
  return walk.steps > mostSteps ? ["*"] : [...walk.found];
}

interface Walk {
  readonly definitions: Table;
  readonly found: Set<string>;
  steps: number;
}

function visit(schema: unknown, path: string, depth: number, walk: Walk): void {
  walk.steps += 1;
  if (depth > deepest || walk.steps > mostSteps || !isRecord(schema)) return;
  for (const [name, child] of Object.entries(tableOf(schema.properties))) {
    const here = path === "" ? name : `${path}.${name}`;
    if (mayBeNull(child, depth, walk)) walk.found.add(here);
    visit(child, here, depth + 1, walk);
  }
  if (isRecord(schema.items)) {
    if (mayBeNull(schema.items, depth, walk)) walk.found.add(`${path}[]`);
    visit(schema.items, `${path}[]`, depth + 1, walk);
  }
  for (const part of alternatives(schema)) visit(part, path, depth + 1, walk);
  if (typeof schema.$ref === "string") visit(resolve(walk.definitions, schema.$ref), path, depth + 1, walk);
}

function alternatives(schema: Table): unknown[] {
  return [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
}

function mayBeNull(schema: unknown, depth: number, walk: Walk): boolean {
  walk.steps += 1;
  if (depth > deepest || walk.steps > mostSteps) return true;
  if (!isRecord(schema)) return schema !== false;
  const inner = (part: unknown) => mayBeNull(part, depth + 1, walk);
  if (schema.type !== undefined) return [schema.type].flat().includes("null");
  if ("const" in schema) return schema.const === null;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  if (typeof schema.$ref === "string") return inner(resolve(walk.definitions, schema.$ref));
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some(inner);
  if (Array.isArray(schema.oneOf)) return schema.oneOf.some(inner);
  if (Array.isArray(schema.allOf)) return schema.allOf.every(inner);
  return !isRecord(schema.properties);
}
