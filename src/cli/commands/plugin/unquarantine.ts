import { defineCommand } from "../../command.ts";
import { askYes, isAttended } from "../../consent.ts";
import { cellText } from "../../table.ts";

export const unquarantine = defineCommand({
  name: "plugin unquarantine",
  summary: "Lift a plugin's quarantine without trying it.",
  examples: ["gum plugin unquarantine hello", "gum plugin unquarantine hello --yes --json"],
  args: { id: { summary: "The plugin's id." } },
  flags: {
    yes: { kind: "switch", summary: "Lift also what stands for a plugin that is not the one you trusted." },
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel();
    const { liftQuarantine, quarantineOf } = await import("../../../kernel/unquarantine.ts");
    const { terminal } = kernel.host;
    const view = await quarantineOf(kernel, args.id);
    const question = `${cellText(view.reason ?? "")}\nLet ${cellText(args.id)} run again? [y/N] `;
    const yes =
      flags.yes ||
      (view.needsYes && isAttended(terminal) && (await askYes(terminal, question, kernel.signal)));
    const answer = await liftQuarantine(kernel, args.id, { yes });
    await context.answer(answer, () =>
      answer.changed
        ? `Lifted ${answer.lifted ?? "the quarantine"} of ${answer.plugin}; it is ${answer.status}.\n`
        : `${answer.plugin} is not quarantined.\n`,
    );
    return 0;
  },
});
