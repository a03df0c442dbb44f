import type { ErrorCode } from "../base/error-codes.ts";
import type { Finding, GumError, Place } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import { type FailureContext, hintFor, hintOf } from "../model/envelope.ts";
import { stripUnsafe } from "../model/safe-text.ts";
import type { Context, Host } from "./context.ts";
import { cellText } from "./table.ts";

// Messages may hold a plugin's words: cellText leaves no control characters, and no second line that could pass for
// gum's own.

/** What a terminal shows of a failure. */
export interface ErrorView {
  readonly findings: readonly [FindingView, ...FindingView[]];
  /** What to do next when a finding does not say it itself. */
  readonly hint: string;
}

interface FindingView {
  readonly code: ErrorCode;
  readonly message: string;
  readonly at?: Place | undefined;
  readonly path?: string | undefined;
  readonly hint?: string | undefined;
}

/** The view of an error that was thrown. */
export function viewOfError(error: GumError, context: FailureContext = {}): ErrorView {
  const { code, message, info } = error;
  const hint = hintOf(error, context);
  const [first, ...rest] = findingsIn(info.details);
  return { findings: first === undefined ? [{ code, message, at: info.at }] : [first, ...rest], hint };
}

/** Three parts per finding: what, where with the line shown, what to do next. The same advice is given once. */
export function renderError(view: ErrorView, colour: boolean): string {
  const lines: string[] = [];
  for (const [index, finding] of view.findings.entries()) {
    const next = finding.hint ?? view.hint;
    const following = view.findings[index + 1];
    const repeated = following !== undefined && (following.hint ?? view.hint) === next;
    lines.push(...findingLines(finding, "error", colour), ...(repeated ? [] : nextLines(next)));
  }
  if (view.findings.length > 1) lines.push(`gum: ${view.findings.length} findings`);
  return `${lines.join("\n")}\n`;
}

/** Something worth knowing that is no error, in the same look. */
export function renderWarning(warning: Omit<Finding, "code">, colour: boolean): string {
  const next = warning.hint === undefined ? [] : nextLines(warning.hint);
  return `${[...findingLines(warning, "warning", colour), ...next].join("\n")}\n`;
}

function findingLines(
  finding: Omit<FindingView, "code"> & { readonly code?: ErrorCode },
  kind: "error" | "warning",
  colour: boolean,
): string[] {
  const code = finding.code === undefined ? "" : ` ${finding.code}`;
  const word = colour ? `\u001b[1;${kind === "error" ? 31 : 33}m${kind}${code}\u001b[0m` : `${kind}${code}`;
  return [`gum: ${word}: ${cellText(finding.message)}`, ...placeLines(finding.at, finding.path)];
}

function placeLines(at: Place | undefined, path: string | undefined): string[] {
  if (at === undefined) return path === undefined ? [] : [`  at ${cellText(path)}`];
  const position = [at.file, at.line, at.column].filter((part) => part !== undefined).join(":");
  const where = path === undefined ? "" : ` (${cellText(path)})`;
  return [`  at ${cellText(position)}${where}`, ...sourceLines(at)];
}

/** Longer lines are cut around the caret. */
const shownWidth = 100;

function sourceLines({ line, column, text }: Place): string[] {
  if (line === undefined || text === undefined) return [];
  const start = Math.max(0, (column ?? 1) - 1 - Math.floor(shownWidth / 2));
  // Columns are counted in the text as it is, so characters are replaced one for one rather than removed.
  const flat = (part: string): string => stripUnsafe(part.replace(/[\p{Cc}\p{Cf}]/gu, " "));
  const cut = start > 0 && text.length > shownWidth;
  const shown = cut ? text.slice(start, start + shownWidth) : text.slice(0, shownWidth);
  const number = String(line);
  const before = cut ? `…${flat(shown)}` : flat(shown);
  const result = [`  ${number} | ${before.trimEnd()}`];
  if (column !== undefined) {
    const offset = flat(text.slice(cut ? start : 0, column - 1)).length + (cut ? 1 : 0);
    result.push(`  ${" ".repeat(number.length)} | ${" ".repeat(offset)}^`);
  }
  return result;
}

function nextLines(hint: string): string[] {
  return [`  next: ${cellText(hint)}`];
}

function findingsIn(details: Readonly<Record<string, unknown>> | undefined): readonly FindingView[] {
  const findings = details?.findings;
  return Array.isArray(findings) ? findings.filter(isFinding) : [];
}

function isFinding(value: unknown): value is FindingView {
  return isRecord(value) && typeof value.code === "string" && typeof value.message === "string";
}

/** Tells findings on stderr: all of them, with what to do next. */
export function tellFindings(
  findings: readonly [Finding, ...Finding[]],
  context: Context,
  terminal: Host["terminal"],
): void {
  const view = { findings, hint: hintFor(findings[0].code, undefined, {}) };
  terminal.err(renderError(view, context.globals.color && terminal.colour));
}
