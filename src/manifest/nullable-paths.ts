import { isTable, type Table, tableOf } from "./access.ts";
import { resolve } from "./schema-bundle.ts";

const mostPaths = 1000;
const deepest = 16;

/** Dotted paths of a response whose value may be null as its schema declares it; `[]` steps into arrays. */
export function nullablePaths(schema: Table): string[] {
  const found = new Set<string>();
  walk(schema, "", 0, { definitions: tableOf(schema.$defs), found });
  return [...found];
}

interface Walk {
  readonly definitions: Table;
  readonly found: Set<string>;
}

function walk(schema: unknown, path: string, depth: number, at: Walk): void {
  if (depth > deepest || at.found.size >= mostPaths || !isTable(schema)) return;
  for (const [name, child] of Object.entries(tableOf(schema.properties))) {
    const here = path === "" ? name : `${path}.${name}`;
    if (mayBeNull(child, depth, at.definitions)) at.found.add(here);
    walk(child, here, depth + 1, at);
  }
  if (isTable(schema.items)) {
    if (mayBeNull(schema.items, depth, at.definitions)) at.found.add(`${path}[]`);
    walk(schema.items, `${path}[]`, depth + 1, at);
  }
  for (const part of alternatives(schema)) walk(part, path, depth + 1, at);
  if (typeof schema.$ref === "string") walk(resolve(at.definitions, schema.$ref), path, depth + 1, at);
}

function alternatives(schema: Table): unknown[] {
  return [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
}

function mayBeNull(schema: unknown, depth: number, definitions: Table): boolean {
  if (depth > deepest) return true;
  if (!isTable(schema)) return schema !== false;
  const inner = (part: unknown) => mayBeNull(part, depth + 1, definitions);
  if (schema.type !== undefined) return [schema.type].flat().includes("null");
  if ("const" in schema) return schema.const === null;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  if (typeof schema.$ref === "string") return inner(resolve(definitions, schema.$ref));
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some(inner);
  if (Array.isArray(schema.oneOf)) return schema.oneOf.some(inner);
  if (Array.isArray(schema.allOf)) return schema.allOf.every(inner);
  return !isTable(schema.properties);
}
