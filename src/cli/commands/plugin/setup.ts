import { exitCodes } from "../../../base/error-codes.ts";
import { isErrno } from "../../../base/errors.ts";
import type { ChecklistItem, CredentialView, SetupAnswer } from "../../../kernel/answers-setup.ts";
import type { AskCredential, CredentialQuestion } from "../../../model/setup.ts";
import { defineCommand } from "../../command.ts";
import { isAttended } from "../../consent.ts";
import type { Context, Host } from "../../context.ts";
import { pipelineFlags } from "../../flags.ts";
import { usage } from "../../parse.ts";
import { cellText } from "../../table.ts";
import { tellWarnings } from "../../warnings.ts";

const name = "plugin setup";
const maxBytes = 64 * 1024;

export const setup = defineCommand({
  name,
  summary: "Give a plugin its credentials, keep them in the keychain, and prove them by a live canary.",
  examples: [
    "gum plugin setup flights",
    "gum plugin setup flights --from-env",
    "printf %s token | gum plugin setup flights --from-stdin flights_session --json",
    "gum plugin setup flights --check",
    "gum plugin setup flights --forget",
  ],
  args: { id: { summary: "The plugin's id." } },
  flags: {
    "from-env": { kind: "switch", summary: "Take what the environment has, without being asked." },
    "from-stdin": { kind: "text", value: "alias", summary: "Read the value of this credential from stdin." },
    check: { kind: "switch", summary: "Show what is there and what is missing; change nothing." },
    forget: { kind: "switch", summary: "Forget the kept credentials." },
    ...pipelineFlags,
  },
  async run({ args, flags }, context) {
    const { check, forget, "from-env": fromEnvironment, "from-stdin": alias } = flags;
    const ways = [check, forget, fromEnvironment || alias !== undefined].filter(Boolean).length;
    if (ways > 1) throw usage(name, "The flags --check, --forget and --from-… exclude each other");
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { checkSetup, forgetSetup, setupChecklist, setupPlugin } = await import("../../../kernel/setup.ts");
    if (check || forget) {
      const answer = await (check ? checkSetup : forgetSetup)(kernel, args.id);
      await tellWarnings(answer.warnings, context);
      await context.answer(answer, () => (check ? stateText(answer) : forgetText(answer)));
      return check && !answer.ok ? exitCodes.configuration : exitCodes.ok;
    }
    const { host, signal } = kernel;
    const typed = !fromEnvironment && alias === undefined && isAttended(host.terminal) && !context.json;
    if (typed) await context.note(checklistText(await setupChecklist(kernel, args.id)));
    const answer = await setupPlugin(kernel, args.id, {
      given: alias === undefined ? new Map() : new Map([[alias, await readValue(host)]]),
      fromEnvironment,
      ask: typed ? asker(host.terminal, signal, context) : undefined,
    });
    await tellWarnings(answer.warnings, context);
    await context.answer(answer, () => setupText(answer));
    return exitCodes.ok;
  },
});

/** The whole of stdin, without the line break that ends it. */
async function readValue({ terminal }: Host): Promise<string> {
  try {
    return (await terminal.readInput({ maxBytes })).replace(/\r?\n$/, "");
  } catch (error) {
    throw usage(name, isErrno(error, "EFBIG") ? "Standard input is too long" : "Standard input is not UTF-8");
  }
}

function asker(terminal: Host["terminal"], signal: AbortSignal, context: Context): AskCredential {
  return async (question) => {
    const { displayName, setupHint, secret } = question;
    await context.note(`${cellText(displayName)}${setupHint === "" ? "" : `: ${cellText(setupHint)}`}\n`);
    const prompt = `  ${cellText(question.alias)}${promptNote(question)}: `;
    const answer = await (secret ? terminal.askSecret(prompt, { signal }) : terminal.ask(prompt, { signal }));
    return secret ? answer : answer?.trim();
  };
}

function promptNote({ secret, found, required }: CredentialQuestion): string {
  const notes = [
    ...(secret ? ["not shown"] : []),
    ...(found === null ? [] : [`Enter keeps what is in the ${found}`]),
    ...(found === null && !required ? ["Enter leaves it out"] : []),
  ];
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}

function setupText({ plugin, status, stored, canary }: SetupAnswer): string {
  const kept = stored.length === 0 ? "" : `Kept ${stored.join(", ")}.\n`;
  const time = canary?.latency_ms ?? canary?.spawn_ms ?? 0;
  return `${kept}${plugin} passed its live canary in ${time} ms; it is ${status}.\n`;
}

function forgetText({ plugin, status, forgotten }: SetupAnswer): string {
  const what = forgotten.length === 0 ? "Nothing was kept" : `Forgot ${forgotten.join(", ")}`;
  return `${what}; ${plugin} is ${status}.\n`;
}

function stateText({ plugin, status, store, credentials, checklist }: SetupAnswer): string {
  const where = store.state === "open" ? `open` : `${store.state}: ${cellText(store.reason ?? "")}`;
  return [
    `${plugin} is ${status}; the ${store.name} is ${where}\n`,
    ...credentials.map(credentialLine),
    checklistText(checklist),
  ].join("");
}

function credentialLine({ alias, display_name, setup_hint, required, found }: CredentialView): string {
  const state = found ?? (required ? "missing" : "not set");
  const hint = found !== null || setup_hint === "" ? "" : `: ${cellText(setup_hint)}`;
  return `  ${cellText(alias)}\t${state}\t${cellText(display_name)}${hint}\n`;
}

function checklistText(items: readonly ChecklistItem[]): string {
  if (items.length === 0) return "";
  const lines = items.map(
    ({ display_name, setup_hint }) =>
      `  [ ] ${cellText(display_name)}${setup_hint === "" ? "" : `: ${cellText(setup_hint)}`}\n`,
  );
  return `To be done outside gum:\n${lines.join("")}`;
}
