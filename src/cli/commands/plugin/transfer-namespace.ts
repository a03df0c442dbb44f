import { GumError } from "../../../base/errors.ts";
import type { TransferAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";
import { askYes, isAttended } from "../../consent.ts";
import { usage } from "../../parse.ts";
import { cellText } from "../../table.ts";

const name = "plugin transfer-namespace";

export const transferNamespace = defineCommand({
  name,
  summary: "Give a claimed prefix or plugin id to another owner, or free it.",
  examples: [
    "gum plugin transfer-namespace fli --new-owner io.example.flights",
    "gum plugin transfer-namespace fli --release --yes",
  ],
  args: { prefix: { summary: "The claimed prefix or plugin id." } },
  flags: {
    "new-owner": { kind: "text", value: "owner", summary: "Who owns it from now on." },
    release: { kind: "switch", summary: "Free it: whoever installs next may claim it." },
    yes: { kind: "switch", summary: "Free it without being asked." },
  },
  async run({ args, flags }, context) {
    const owner = flags["new-owner"];
    if ((owner === undefined) === !flags.release) {
      throw usage(name, "Say either --new-owner <owner> or --release");
    }
    const kernel = await context.kernel();
    const { terminal } = kernel.host;
    const question = `Free the namespace ${cellText(args.prefix)} for anybody? [y/N] `;
    const agreed = async (): Promise<boolean> =>
      flags.yes || (isAttended(terminal) && (await askYes(terminal, question, kernel.signal)));
    if (flags.release && !(await agreed())) {
      throw new GumError("REQUIRES_CONFIRMATION", `Nobody confirmed that "${args.prefix}" is to be freed.`, {
        hint: "add --yes",
      });
    }
    const { transfer } = await import("../../../kernel/namespaces.ts");
    const answer = await transfer(kernel, args.prefix, owner ?? null);
    await context.answer(answer, () => transferText(answer));
    return 0;
  },
});

/** What a person reads after a transfer. */
export function transferText({ prefix, from, to, generation }: TransferAnswer): string {
  const done = to === null ? `is free; it belonged to ${from}` : `belongs to ${to}; it belonged to ${from}`;
  return `The namespace ${prefix} ${done}. Generation ${generation}.\n`;
}
