import { canonicalJson } from "../base/digest.ts";
import { findInstruction } from "./instructive-text.ts";
import { findUnsafe } from "./safe-text.ts";

export const driftClasses = ["compatible", "widening", "hostile"] as const;
export type DriftClass = (typeof driftClasses)[number];

export interface DriftChange {
  readonly tool: string;
  /** Where in the tool, such as `description` or `inputSchema.properties.path`; empty for the tool itself. */
  readonly path: string;
  readonly class: DriftClass;
  /** What changed, as a sentence without its subject. */
  readonly what: string;
}

/** Other words are compatible, unless they hide something or give orders that the old ones did not. */
export function wordingChange(path: string, old: unknown, now: unknown): Omit<DriftChange, "tool">[] {
  if (canonicalJson(old ?? null) === canonicalJson(now ?? null)) return [];
  const text = typeof now === "string" ? now : "";
  const unsafe = findUnsafe(text);
  if (unsafe !== undefined)
    return [{ path, class: "hostile", what: `now holds ${unsafe.name}, ${unsafe.kind}` }];
  const order = findInstruction(text);
  if (order !== undefined && findInstruction(typeof old === "string" ? old : "") !== order) {
    return [{ path, class: "hostile", what: `now ${order}` }];
  }
  const what =
    old === undefined ? "was added" : now === undefined ? "was taken away" : "is worded differently";
  return [{ path, class: "compatible", what }];
}
