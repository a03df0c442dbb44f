import { canonicalJson } from "../base/digest.ts";
import { isRecord } from "../base/record.ts";
import { type DriftChange, wordingChange } from "./drift-wording.ts";

type Change = Omit<DriftChange, "tool">;
type Side = "inputSchema" | "outputSchema";

/** Keywords that explain and do not constrain. */
const wordings = new Set(["title", "description", "examples", "$comment", "deprecated"]);
/** Keywords whose keys are names that the author chose, not keywords. */
const named = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Lists whose order says nothing. */
const sets = new Set(["required", "enum", "type"]);

/** How a schema changed: wording is compatible, an added optional output too, everything else widens. */
export function schemaChanges(side: Side, old: unknown, now: unknown): Change[] {
  if (old === undefined && now !== undefined && side === "outputSchema") {
    return [{ path: side, class: "compatible", what: "was added" }];
  }
  return compare(side, side, old, now, false);
}

function compare(side: Side, path: string, old: unknown, now: unknown, names: boolean): Change[] {
  if (canonicalJson(old ?? null) === canonicalJson(now ?? null)) return [];
  if (!isRecord(old) || !isRecord(now)) return [widened(path, old, now)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => {
    const at = `${path}.${key}`;
    const [before, after] = [old[key], now[key]];
    if (names) return compareNamed(side, at, before, after);
    if (wordings.has(key)) return wordingChange(at, textOf(before), textOf(after));
    if (sets.has(key) && sameSet(before, after)) return [];
    return compare(side, at, before, after, named.has(key));
  });
}

/** One property: a new one in the output hurts nobody as long as it is not required, which is judged by itself. */
function compareNamed(side: Side, path: string, before: unknown, after: unknown): Change[] {
  if (before === undefined && side === "outputSchema" && path.split(".").at(-2) === "properties") {
    return [{ path, class: "compatible", what: "was added" }, ...ordersIn(path, after)];
  }
  const orders = before === undefined ? ordersIn(path, after) : [];
  return [...orders, ...compare(side, path, before, after, false)];
}

/** Orders to the model inside something new. */
function ordersIn(path: string, value: unknown): Change[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const at = `${path}.${key}`;
    if (!wordings.has(key)) return ordersIn(at, child);
    return wordingChange(at, undefined, textOf(child)).filter((change) => change.class === "hostile");
  });
}

function widened(path: string, old: unknown, now: unknown): Change {
  const what =
    old === undefined ? "was added" : now === undefined ? "was taken away" : "allows something else";
  return { path, class: "widening", what };
}

function sameSet(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  const sorted = (list: readonly unknown[]) =>
    list
      .map((item) => canonicalJson(item))
      .sort()
      .join();
  return sorted(a) === sorted(b);
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : typeof value === "string" ? value : canonicalJson(value);
}
