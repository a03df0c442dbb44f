import { canonicalJson, sha256 } from "../base/digest.ts";
import { isRecord } from "../base/record.ts";
import type { ResolvedSchema } from "../model/schema-bundle.ts";
import { type Table, tableOf } from "./access.ts";

export const schemaDialect = "https://json-schema.org/draft/2020-12/schema";

/** References below a part that do not stay inside the bundle's `$defs`. */
export function lostReferences(bundle: Table, part: "request" | "response"): string[] {
  return reach(tableOf(bundle.$defs), part).lost;
}

/** One half of a bundle as a document of its own, in the form in which it is stored (M28). */
export function deriveSchema(bundle: Table, schemaRef: string, part: "request" | "response"): ResolvedSchema {
  const definitions = tableOf(bundle.$defs);
  const { names } = reach(definitions, part);
  const needed = [...names].sort().map((name) => [name, definitions[name]]);
  const schema =
    names.size === 0
      ? { ...tableOf(definitions[part]), $schema: schemaDialect }
      : {
          $schema: schemaDialect,
          $ref: `#/$defs/${part}`,
          $defs: { [part]: definitions[part], ...Object.fromEntries(needed) },
        };
  const text = canonicalJson(schema);
  return { ref: `${schemaRef}.${part}`, sha256: sha256(text), text };
}

/** The definitions that a part refers to, directly or through others. */
function reach(definitions: Table, part: string): { names: Set<string>; lost: string[] } {
  const names = new Set<string>();
  const lost: string[] = [];
  const open = [part];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of referencesIn(definitions[next])) {
      const name = definitionName(target);
      if (name === undefined || resolve(definitions, target) === undefined) lost.push(target);
      else if (!names.has(name)) {
        names.add(name);
        open.push(name);
      }
    }
  }
  return { names, lost };
}

function definitionName(target: string): string | undefined {
  const segment = /^#\/\$defs\/([^/]+)/.exec(target)?.[1];
  return segment === undefined ? undefined : unescapePointer(segment);
}

/** What `#/$defs/…` points at, or undefined. */
export function resolve(definitions: Table, target: string): unknown {
  let value: unknown = { $defs: definitions };
  for (const segment of target.split("/").slice(1)) {
    const key = unescapePointer(segment);
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function unescapePointer(segment: string): string {
  const decoded = segment.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

function referencesIn(schema: unknown, found: string[] = []): string[] {
  if (Array.isArray(schema)) for (const child of schema) referencesIn(child, found);
  else if (isRecord(schema)) {
    for (const [key, child] of Object.entries(schema)) {
      if ((key === "$ref" || key === "$dynamicRef") && typeof child === "string") found.push(child);
      // What stands in these is data, even when it looks like a reference.
      else if (key !== "enum" && key !== "const" && key !== "default" && key !== "examples")
        referencesIn(child, found);
    }
  }
  return found;
}
