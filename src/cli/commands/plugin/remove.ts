import { GumError } from "../../../base/errors.ts";
import { defineCommand } from "../../command.ts";
import { askYes, isAttended } from "../../consent.ts";
import { pipelineFlags } from "../../flags.ts";
import { cellText } from "../../table.ts";

export const remove = defineCommand({
  name: "plugin remove",
  summary: "Take a plugin out of the profile; its namespace claim and its data stay.",
  examples: ["gum plugin remove hello", "gum plugin remove hello --yes --json"],
  args: { id: { summary: "The plugin's id." } },
  flags: { yes: { kind: "switch", summary: "Remove it without being asked." }, ...pipelineFlags },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { pluginInfo } = await import("../../../kernel/inventory.ts");
    await pluginInfo(kernel, args.id); // nobody is asked about a plugin that is not there
    const { terminal } = kernel.host;
    const question = `Remove ${cellText(args.id)} from profile "${kernel.profile.name}"? [y/N] `;
    if (!flags.yes && !(isAttended(terminal) && (await askYes(terminal, question, kernel.signal)))) {
      throw new GumError("REQUIRES_CONFIRMATION", `Nobody confirmed that "${args.id}" is to be removed.`, {
        hint: `add --yes: \`gum plugin remove ${args.id} --yes\``,
      });
    }
    const { removePlugin } = await import("../../../kernel/remove.ts");
    const answer = await removePlugin(kernel, args.id);
    await context.answer(answer, () => `Removed ${answer.plugin}; generation ${answer.generation}.\n`);
    return 0;
  },
});
