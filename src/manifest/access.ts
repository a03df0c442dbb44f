// Reading values whose kind a check has established, or will: what is absent or of another kind counts as empty.
import { isRecord } from "../base/record.ts";

export type Table = Readonly<Record<string, unknown>>;

export function tableOf(value: unknown): Table {
  return isRecord(value) ? value : {};
}

export function rowsOf(value: unknown): Table[] {
  return Array.isArray(value) ? value.map(tableOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** The fields whose values are texts. */
export function textMapOf(value: unknown): Record<string, string> {
  const map: Record<string, string> = {};
  for (const [key, item] of Object.entries(tableOf(value))) if (typeof item === "string") map[key] = item;
  return map;
}
