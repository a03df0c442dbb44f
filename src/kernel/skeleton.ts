import { isRecord } from "../base/record.ts";

const maxDepth = 8;

type Schema = Readonly<Record<string, unknown>>;

/** A value of the schema's form with every required field: defaults, constants and examples where it has them. */
export function skeletonOf(schema: unknown): unknown {
  return fill(schema, schema, 0);
}

function fill(schema: unknown, root: unknown, depth: number): unknown {
  if (!isRecord(schema) || depth > maxDepth) return null;
  const known = knownValue(schema);
  if (known !== undefined) return known;
  const other =
    referred(schema, root) ?? firstOf(schema.allOf) ?? firstOf(schema.anyOf) ?? firstOf(schema.oneOf);
  if (other !== undefined && schema.properties === undefined) return fill(other, root, depth + 1);
  switch (typeOf(schema)) {
    case "object":
      return fillObject(schema, root, depth);
    case "array":
      return Number(schema.minItems ?? 0) > 0 ? [fill(schema.items, root, depth + 1)] : [];
    case "string":
      return `<${String(schema.format ?? schema.title ?? "text")}>`;
    case "integer":
    case "number":
      return Number(schema.minimum ?? 0);
    case "boolean":
      return false;
    default:
      return null;
  }
}

function fillObject(schema: Schema, root: unknown, depth: number): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === "string")
    : [];
  return Object.fromEntries(required.map((name) => [name, fill(properties[name], root, depth + 1)]));
}

function knownValue(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  return Array.isArray(schema.enum) ? schema.enum[0] : undefined;
}

function typeOf(schema: Schema): unknown {
  const said = Array.isArray(schema.type) ? schema.type.find((type) => type !== "null") : schema.type;
  return said ?? (isRecord(schema.properties) ? "object" : undefined);
}

/** What a reference inside the same document leads to. */
function referred(schema: Schema, root: unknown): unknown {
  if (typeof schema.$ref !== "string" || !schema.$ref.startsWith("#")) return undefined;
  let at = root;
  for (const part of schema.$ref
    .slice(1)
    .split("/")
    .filter((word) => word !== "")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}
