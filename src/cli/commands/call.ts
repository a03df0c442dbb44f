import { riskClasses } from "../../model/risk.ts";
import { defineCommand } from "../command.ts";
import { callOp, opArguments, opFlags } from "../op-call.ts";
import { usage } from "../parse.ts";

const name = "call";

export const call = defineCommand({
  name,
  summary: "Call an operation of the catalog, stating its risk.",
  examples: [
    "gum call plug.hello.greet --risk=read name=Ada",
    `gum call plug.notes.append --risk=write --args '{"text":"milk"}' --meta`,
    "gum call plug.notes.wipe --risk=destructive --token TOKEN",
  ],
  args: opArguments,
  flags: {
    risk: {
      kind: "choice",
      choices: riskClasses,
      summary: "What the operation risks; it must be its own class.",
    },
    ...opFlags,
  },
  async run({ args, flags }, context) {
    const { risk } = flags;
    if (risk === undefined) throw usage(name, `State the risk with --risk=${riskClasses.join("|")}`);
    return callOp(context, { command: name, risk, op: args.op, words: args.arguments, flags });
  },
});
