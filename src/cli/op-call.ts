// The catalog path (D3, D4): the caller names an operation and states its risk; what destroys takes two calls.
import type { RiskClass } from "../model/risk.ts";
import { answerCall, callArguments, callFlags } from "./call-command.ts";
import { type Command, defineCommand } from "./command.ts";
import type { Context } from "./context.ts";
import type { FlagTable, FlagValues } from "./flags.ts";

export const opArguments = {
  op: { summary: "An operation: plug.<plugin>.<tool>, or an op id." },
  arguments: callArguments,
} as const;

export const opFlags = {
  "variant-id": { kind: "text", value: "id", summary: "One of several variants of the operation." },
  token: {
    kind: "text",
    value: "token",
    summary: "The token that the first of two calls was answered with.",
  },
  ...callFlags,
} as const satisfies FlagTable;

interface OpCall {
  readonly command: string;
  readonly risk: RiskClass;
  readonly op: string;
  readonly words: readonly string[];
  readonly flags: FlagValues<typeof opFlags>;
}

/** Calls an operation whose risk the caller has stated; the exit code. */
export function callOp(context: Context, { command, risk, op, words, flags }: OpCall): Promise<number> {
  return answerCall(context, {
    command,
    words,
    flags,
    where: { plugin: /^plug\.([^.]+)\./.exec(op)?.[1], op_id: op },
    request: {
      op,
      variantId: flags["variant-id"],
      risk,
      confirmation: { kind: "token", token: flags.token, keySource: "profile" },
    },
    async make(kernel, request, onWarning) {
      const { callTool } = await import("../kernel/call.ts");
      return callTool(kernel, request, onWarning);
    },
  });
}

/** The command whose name is the risk that it states. */
export function riskCommand(risk: RiskClass, summary: string, examples: readonly string[]): Command {
  return defineCommand({
    name: risk,
    summary,
    examples,
    args: opArguments,
    flags: opFlags,
    run: ({ args, flags }, context) =>
      callOp(context, { command: risk, risk, op: args.op, words: args.arguments, flags }),
  });
}
