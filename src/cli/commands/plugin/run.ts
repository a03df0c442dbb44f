import { asGumError, GumError, type Warning } from "../../../base/errors.ts";
import type { Kernel } from "../../../kernel/kernel.ts";
import type { CallRequest } from "../../../model/call.ts";
import { envelopeText, payloadText, type SuccessEnvelope } from "../../../model/envelope.ts";
import { readCallArguments } from "../../call-args.ts";
import { defineCommand } from "../../command.ts";
import type { Context } from "../../context.ts";
import { pipelineFlags } from "../../flags.ts";
import { usage } from "../../parse.ts";
import type { ProgressBar } from "../../progress.ts";
import { terminalJson } from "../../terminal-json.ts";

const name = "plugin run";

export const run = defineCommand({
  name,
  summary: "Call a tool of an installed plugin and print its answer.",
  examples: [
    `gum plugin run hello greet '{"name":"Ada"}'`,
    "gum plugin run hello greet name=Ada times:=3 letter=@letter.txt",
    `echo '{"name":"Ada"}' | gum plugin run hello greet -`,
    "gum plugin run hello greet @args.json --meta --timeout 30s",
  ],
  args: {
    id: { summary: "The plugin's id." },
    tool: { summary: "The tool's name." },
    arguments: {
      take: "rest",
      summary: "A JSON object, - for one on stdin, @file.json, or key=text, key:=json, key=@file.",
    },
  },
  flags: {
    args: { kind: "text", value: "json", summary: "The arguments as a JSON object, or - for stdin." },
    yes: { kind: "switch", summary: "Confirm a tool that writes or destroys without being asked." },
    cache: { kind: "switch", on: true, summary: "Take no remembered answer and remember none." },
    meta: { kind: "switch", summary: "Print the envelope with _meta around the answer." },
    timeout: { kind: "duration", summary: "How long the tool may take, such as 500ms, 30s or 2m." },
    ...pipelineFlags,
  },
  async run({ args, flags }, context) {
    const host = await context.host();
    const { terminal } = host;
    const op = `plug.${args.id}.${args.tool}`;
    try {
      const words = flags.args === undefined ? args.arguments : [wholeWord(flags.args), ...args.arguments];
      const request: CallRequest = {
        op,
        args: await readCallArguments(name, words, host),
        confirmation: { kind: "flag", yes: flags.yes },
        timeoutMs: flags.timeout,
        noCache: !flags.cache,
      };
      const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
      const answer = await callTold(kernel, request, context, flags.meta);
      const text = flags.meta ? envelopeText(answer) : payloadText(answer);
      terminal.out(`${terminal.interactive.stdout ? terminalJson(text) : text}\n`);
      return 0;
    } catch (error) {
      const { json, globals } = context;
      const wishes = { json, debug: globals["log-level"] === "debug", color: globals.color };
      // What only some calls need is loaded when they do: most of a short call is loading.
      const { reportFailure } = await import("../../report.ts");
      return reportFailure(error, wishes, terminal, { plugin: args.id, op_id: op });
    }
  },
});

function wholeWord(text: string): string {
  if (text === "-" || /^\s*[{[]/.test(text)) return text;
  throw usage(name, "The flag --args is a JSON object, or - for stdin");
}

/** Makes the call with a progress bar, and tells warnings: in `_meta` where that is printed, else on stderr. */
async function callTold(
  kernel: Kernel,
  request: CallRequest,
  context: Context,
  withMeta: boolean,
): Promise<SuccessEnvelope> {
  const bar = await progressBar(kernel, context.globals.quiet);
  const warnings: Warning[] = [];
  try {
    const told = { ...request, onProgress: bar?.show };
    const answer = await callConfirmed(kernel, told, (warning) => warnings.push(warning));
    return withMeta && warnings.length > 0 ? { ...answer, meta: { ...answer.meta, warnings } } : answer;
  } finally {
    bar?.clear();
    if (!withMeta && warnings.length > 0) {
      const { tellWarnings } = await import("../../warnings.ts");
      await tellWarnings(warnings, { ...context, json: false });
    }
  }
}

async function progressBar({ host }: Kernel, quiet: boolean): Promise<ProgressBar | undefined> {
  if (quiet || !host.terminal.interactive.stderr) return undefined;
  return (await import("../../progress.ts")).createProgressBar(host);
}

/** A tool that writes or destroys is refused until somebody says yes; on a terminal they are asked. */
async function callConfirmed(
  kernel: Kernel,
  request: CallRequest,
  onWarning: (warning: Warning) => void,
): Promise<SuccessEnvelope> {
  const { callTool } = await import("../../../kernel/call.ts");
  try {
    return await callTool(kernel, request, onWarning);
  } catch (thrown) {
    const error = asGumError(thrown);
    if (error.code !== "REQUIRES_CONFIRMATION" || saidYes(request)) throw error;
    await askPerson(kernel, error, request);
    return callTool(kernel, { ...request, confirmation: { kind: "flag", yes: true } }, onWarning);
  }
}

function saidYes({ confirmation }: CallRequest): boolean {
  return confirmation.kind === "flag" && confirmation.yes;
}

/** Returns when a person has said yes; throws the refusal when nobody is there or they said no. */
async function askPerson({ host, signal }: Kernel, error: GumError, request: CallRequest): Promise<void> {
  const { askYes, isAttended } = await import("../../consent.ts");
  const { cellText } = await import("../../table.ts");
  if (!isAttended(host.terminal)) throw error;
  const risk = cellText(String(error.info.details?.risk_class ?? "write"));
  const call = `${cellText(request.op)} is a ${risk} operation; call it with`;
  const question = `${call} ${cellText(JSON.stringify(request.args))}? [y/N] `;
  if (!(await askYes(host.terminal, question, signal))) throw declined(error, request);
}

function declined(error: GumError, { op }: CallRequest): GumError {
  return new GumError("REQUIRES_CONFIRMATION", `You did not confirm the call of "${op}".`, {
    hint: error.info.hint,
    details: error.info.details,
  });
}
