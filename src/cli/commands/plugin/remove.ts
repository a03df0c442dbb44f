import type { RemoveAnswer } from "../../../kernel/answers.ts";
import { defineCommand } from "../../command.ts";
import { askYes, isAttended } from "../../consent.ts";
import { pipelineFlags } from "../../flags.ts";
import { cellText } from "../../table.ts";

export const remove = defineCommand({
  name: "plugin remove",
  summary: "Take a plugin out of the profile; its namespace claim, its data and its credentials stay.",
  examples: [
    "gum plugin remove hello",
    "gum plugin remove hello --yes --json",
    "gum plugin remove hello --purge --yes",
  ],
  args: { id: { summary: "The plugin's id." } },
  flags: {
    yes: { kind: "switch", summary: "Remove it without being asked." },
    purge: { kind: "switch", summary: "Forget its data and its kept credentials, too." },
    ...pipelineFlags,
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { terminal } = kernel.host;
    const { removePlugin } = await import("../../../kernel/remove.ts");
    const answer = await removePlugin(kernel, args.id, {
      yes: flags.yes,
      purge: flags.purge,
      async ask(plugin, version) {
        if (!isAttended(terminal)) return "no-terminal";
        const what = flags.purge ? ", its data and its credentials" : "";
        const question = `Remove ${cellText(`${plugin} ${version}`)}${what} from profile "${kernel.profile.name}"? [y/N] `;
        return askYes(terminal, question, kernel.signal);
      },
    });
    await context.answer(answer, () => removeText(answer));
    return 0;
  },
});

function removeText({ plugin, generation, purged }: RemoveAnswer): string {
  const removed = `Removed ${plugin}; generation ${generation}.\n`;
  if (purged === null) return removed;
  const what = [
    ...(purged.data ? ["its data"] : []),
    ...purged.credentials.map((alias) => `credential ${alias}`),
  ];
  return `${removed}Forgot ${what.length === 0 ? "nothing else: there was nothing" : what.join(", ")}.\n`;
}
