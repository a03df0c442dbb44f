import type { AskConsent, ConsentSummary, ConsentWithGrants } from "../model/consent.ts";
import { riskClasses } from "../model/risk.ts";
import type { Host } from "./context.ts";
import { cellText } from "./table.ts";

/** Shows the whole summary on a terminal and asks, unless that is answered already; "no-terminal" where nobody could answer. */
export function consentAsker(terminal: Host["terminal"], signal: AbortSignal): AskConsent {
  return async (summary, answered) => {
    if (!isAttended(terminal)) return "no-terminal";
    terminal.err(renderConsent(summary));
    if (answered !== undefined) return true;
    const question = `Install ${cellText(summary.id)} ${cellText(summary.version)}? [y/N] `;
    if (!(await askYes(terminal, question, signal))) return false;
    return askCapabilities(terminal, summary, signal);
  };
}

/** A yes to the install is no yes to a capability: that is asked for by name. */
async function askCapabilities(
  terminal: Host["terminal"],
  { id, requested }: ConsentSummary,
  signal: AbortSignal,
): Promise<true | ConsentWithGrants> {
  const capabilities = requested.capabilities ?? [];
  if (capabilities.length === 0) return true;
  const question = `Grant ${cellText(id)} ${capabilities.map(cellText).join(", ")}, too? [y/N] `;
  return (await askYes(terminal, question, signal)) ? { capabilities } : true;
}

/** Whether a person can read a question and answer it. */
export function isAttended(terminal: Host["terminal"]): boolean {
  return terminal.interactive.stdin && terminal.interactive.stderr;
}

/** Only y and yes are a yes. */
export async function askYes(
  terminal: Host["terminal"],
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await terminal.ask(question, { signal });
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Everything that a person agrees to, one line each. */
export function renderConsent(summary: ConsentSummary): string {
  const { granted, requested } = summary;
  const rows: readonly (readonly [string, string])[] = [
    ["Plugin", `${summary.name} (${summary.id}) ${summary.version}`],
    ["Owner", summary.owner],
    ["Source", summary.source],
    ["Signed by", summary.signed_by === null ? "nobody that you trust" : `key ${summary.signed_by}`],
    ["License", summary.license ?? "not stated"],
    ["Terms", summary.tos_status ?? "not stated"],
    ["Risk", summary.risk ?? "not stated"],
    ...riskClasses.map((risk) => [`Tools, ${risk}`, toolsOf(summary, risk)] as const),
    ["Network", summary.network ? "yes" : "no"],
    ["Writes", summary.writes],
    ["Environment", listOf(summary.env)],
    ["Credentials", listOf(summary.credentials)],
    ["You grant", listOf(scopeOf(granted))],
    ["It also asks", listOf(scopeOf(requested))],
  ];
  const lines = rows.map(([label, text]) => `  ${label.padEnd(20)}${cellText(text)}\n`);
  return ["Installing a plugin runs somebody's code as you.\n", ...lines].join("");
}

function toolsOf({ tools }: ConsentSummary, risk: string): string {
  return listOf(tools.filter(({ risk_class }) => risk_class === risk).map(({ name }) => name));
}

function scopeOf({ read, write, shm, capabilities = [] }: ConsentSummary["requested"]): string[] {
  return [
    ...read.map((path) => `read ${path}`),
    ...write.map((path) => `write ${path}`),
    ...(shm ? ["shared memory"] : []),
    ...capabilities.map((name) => `capability ${name}`),
  ];
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
