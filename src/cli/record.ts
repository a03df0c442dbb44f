import { cellText } from "./table.ts";

/** A JSON value as indented lines for a person: `key: value`, lists with dashes. */
export function renderRecord(record: Readonly<Record<string, unknown>>): string {
  return `${fieldLines(record, "").join("\n")}\n`;
}

function fieldLines(record: object, indent: string): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const simple = simpleText(value);
    if (simple !== undefined) return [`${indent}${cellText(key)}: ${simple}`];
    return [`${indent}${cellText(key)}:`, ...nestedLines(value, `${indent}  `)];
  });
}

function nestedLines(value: unknown, indent: string): string[] {
  if (!Array.isArray(value)) return fieldLines(Object(value), indent);
  return value.flatMap((item) => {
    const simple = simpleText(item);
    if (simple !== undefined) return [`${indent}- ${simple}`];
    const [first = "", ...rest] = nestedLines(item, `${indent}  `);
    return [`${indent}- ${first.trimStart()}`, ...rest];
  });
}

/** The text of what fits on one line; undefined for what does not. */
function simpleText(value: unknown): string | undefined {
  if (value === null || value === undefined) return "none";
  if (typeof value !== "object") return cellText(String(value));
  const items: unknown[] = Array.isArray(value) ? value : Object.keys(value);
  return items.length === 0 ? "none" : undefined;
}
