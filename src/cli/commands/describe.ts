import { defineCommand } from "../command.ts";
import { renderRecord } from "../record.ts";

export const describe = defineCommand({
  name: "describe",
  summary: "Show what an operation does, what it takes, and what it risks.",
  examples: [
    "gum describe plug.hello.hello",
    "gum describe flights.search --json",
    "gum describe plug.hello.hello --skeleton",
  ],
  args: { op: { summary: "An operation: plug.<plugin>.<tool>, or an op id." } },
  flags: {
    "variant-id": { kind: "text", value: "id", summary: "One of several variants of the operation." },
    skeleton: { kind: "switch", summary: "Print only arguments to fill in, with every required field." },
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel();
    const { describeOp } = await import("../../kernel/describe.ts");
    const description = await describeOp(kernel, args.op, flags["variant-id"]);
    if (flags.skeleton) {
      await context.answer(description.skeleton, () => `${JSON.stringify(description.skeleton, null, 2)}\n`);
      return 0;
    }
    await context.answer(description, () => renderRecord({ ...description }));
    return 0;
  },
});
