// What every command that calls a tool has in common: its arguments and flags, progress, warnings, and the answer.

import type { Warning } from "../base/errors.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { CallRequest } from "../model/call.ts";
import { envelopeText, type FailureContext, payloadText, type SuccessEnvelope } from "../model/envelope.ts";
import { readCallArguments } from "./call-args.ts";
import type { Context } from "./context.ts";
import { FailedCall } from "./failed-call.ts";
import { type FlagTable, type FlagValues, pipelineFlags } from "./flags.ts";
import { usage } from "./parse.ts";
import type { ProgressBar } from "./progress.ts";
import { terminalJson } from "./terminal-json.ts";

export const callArguments = {
  take: "rest",
  summary: "A JSON object, - for one on stdin, @file.json, or key=text, key:=json, key=@file.",
} as const;

export const callFlags = {
  args: { kind: "text", value: "json", summary: "The arguments as a JSON object, or - for stdin." },
  cache: { kind: "switch", on: true, summary: "Take no remembered answer and remember none." },
  meta: { kind: "switch", summary: "Print the envelope with _meta around the answer." },
  timeout: { kind: "duration", summary: "How long the tool may take, such as 500ms, 30s or 2m." },
  ...pipelineFlags,
} as const satisfies FlagTable;

type MakeCall = (
  kernel: Kernel,
  request: CallRequest,
  onWarning: (warning: Warning) => void,
) => Promise<SuccessEnvelope>;

export interface CallCommand {
  readonly command: string;
  readonly words: readonly string[];
  readonly flags: FlagValues<typeof callFlags>;
  /** What a failure names. */
  readonly where: FailureContext;
  readonly request: Pick<CallRequest, "op" | "variantId" | "risk" | "confirmation">;
  readonly make: MakeCall;
}

/** Makes the call and prints its answer, or its failure; the exit code. */
export async function answerCall(
  context: Context,
  { command, words, flags, where, request, make }: CallCommand,
): Promise<number> {
  const host = await context.host();
  const { terminal } = host;
  try {
    const all = flags.args === undefined ? words : [wholeWord(command, flags.args), ...words];
    const args = await readCallArguments(command, all, host);
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const whole = { ...request, args, timeoutMs: flags.timeout, noCache: !flags.cache };
    const answer = await callTold(kernel, whole, { context, withMeta: flags.meta, make });
    const text = flags.meta ? envelopeText(answer) : payloadText(answer);
    terminal.out(`${terminal.interactive.stdout ? terminalJson(text) : text}\n`);
    return 0;
  } catch (error) {
    throw new FailedCall(error, where);
  }
}

function wholeWord(command: string, text: string): string {
  if (text === "-" || /^\s*[{[]/.test(text)) return text;
  throw usage(command, "The flag --args is a JSON object, or - for stdin");
}

interface Telling {
  readonly context: Context;
  readonly withMeta: boolean;
  readonly make: MakeCall;
}

/** Makes the call with a progress bar, and tells warnings: in `_meta` where that is printed, else on stderr. */
async function callTold(
  kernel: Kernel,
  request: CallRequest,
  { context, withMeta, make }: Telling,
): Promise<SuccessEnvelope> {
  const bar = await progressBar(kernel, context.globals.quiet);
  const warnings: Warning[] = [];
  try {
    const told = { ...request, onProgress: bar?.show };
    const answer = await make(kernel, told, (warning) => warnings.push(warning));
    return withMeta && warnings.length > 0 ? { ...answer, meta: { ...answer.meta, warnings } } : answer;
  } finally {
    bar?.clear();
    if (!withMeta && warnings.length > 0) {
      const { tellWarnings } = await import("./warnings.ts");
      await tellWarnings(warnings, { ...context, json: false });
    }
  }
}

async function progressBar({ host }: Kernel, quiet: boolean): Promise<ProgressBar | undefined> {
  if (quiet || !host.terminal.interactive.stderr) return undefined;
  return (await import("./progress.ts")).createProgressBar(host);
}
