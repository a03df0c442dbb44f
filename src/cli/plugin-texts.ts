// Prompts and resources as a person or a script reads them.
import { isRecord } from "../base/record.ts";
import { stripUnsafe } from "../model/safe-text.ts";
import type { Style } from "./context.ts";
import { renderTable } from "./table.ts";

/** What a plugin lists, one line each: what it is called by, and what it says about it. */
export function renderOffer(title: string, key: string, offered: readonly unknown[], style: Style): string {
  const rows = offered.filter(isRecord).map((one) => [wordOf(one[key]), aboutOf(one)]);
  return rows.length === 0 ? "" : renderTable([title, "DESCRIPTION"], rows, style);
}

/** A plugin's text: a script gets it as it is, a terminal without what it would obey. */
export function safeBlock(text: string, { interactive }: Style): string {
  return interactive ? stripUnsafe(text) : text;
}

/** The text of a content block or of a resource's contents; what is no text is named. */
export function textOf(block: unknown): string {
  if (!isRecord(block)) return "";
  if (typeof block.text === "string") return block.text;
  if (isRecord(block.resource)) return textOf(block.resource);
  const kind = wordOf(block.mimeType ?? block.type ?? "data");
  return `[${kind}${typeof block.uri === "string" ? ` ${block.uri}` : ""}: see --json]`;
}

function aboutOf({ description, title, name }: Readonly<Record<string, unknown>>): string {
  return wordOf(description ?? title ?? name);
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
