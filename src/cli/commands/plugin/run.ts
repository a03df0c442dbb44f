import { asGumError, GumError, type Warning } from "../../../base/errors.ts";
import type { Kernel } from "../../../kernel/kernel.ts";
import type { CallRequest } from "../../../model/call.ts";
import type { SuccessEnvelope } from "../../../model/envelope.ts";
import { answerCall, callArguments, callFlags } from "../../call-command.ts";
import { defineCommand } from "../../command.ts";

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
    arguments: callArguments,
  },
  flags: {
    yes: { kind: "switch", summary: "Confirm a tool that writes or destroys without being asked." },
    ...callFlags,
  },
  run: ({ args, flags }, context) =>
    answerCall(context, {
      command: name,
      words: args.arguments,
      flags,
      where: { plugin: args.id, op_id: `plug.${args.id}.${args.tool}` },
      request: { op: `plug.${args.id}.${args.tool}`, confirmation: { kind: "flag", yes: flags.yes } },
      make: callConfirmed,
    }),
});

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
