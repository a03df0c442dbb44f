import type { ErrorCode } from "../base/error-codes.ts";
import type { Finding, GumError, Place } from "../base/errors.ts";
import { type FailureContext, hintFor } from "../model/envelope.ts";
import { stripUnsafe } from "../model/safe-text.ts";

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
  const hint = hintFor(code, info.hint, context.plugin);
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
  return [`gum: ${word}: ${oneLine(finding.message)}`, ...placeLines(finding.at, finding.path)];
}

function placeLines(at: Place | undefined, path: string | undefined): string[] {
  if (at === undefined) return path === undefined ? [] : [`  at ${oneLine(path)}`];
  const position = [at.file, at.line, at.column].filter((part) => part !== undefined).join(":");
  const where = path === undefined ? "" : ` (${oneLine(path)})`;
  return [`  at ${oneLine(position)}${where}`, ...sourceLines(at)];
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
  return [`  next: ${oneLine(hint)}`];
}

/** Messages may hold a plugin's words: no control characters, no second line that could pass for gum's own. */
function oneLine(text: string): string {
  return stripUnsafe(text).replace(/[\s]+/g, " ").trim();
}

function findingsIn(details: Readonly<Record<string, unknown>> | undefined): readonly FindingView[] {
  const findings = details?.findings;
  return Array.isArray(findings) ? findings.filter(isFinding) : [];
}

function isFinding(value: unknown): value is FindingView {
  return isRecord(value) && typeof value.code === "string" && typeof value.message === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
