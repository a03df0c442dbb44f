import type { RollbackAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";
import { pipelineFlags } from "../../flags.ts";
import { cellText } from "../../table.ts";
import { tellWarnings } from "../../warnings.ts";
import { readWholeNumber } from "../../whole-number.ts";

export const rollback = defineCommand({
  name: "plugin rollback",
  summary:
    "Publish the plugins of an earlier generation again; quarantines, claims and what you took back stay as they are.",
  examples: ["gum plugin rollback", "gum plugin rollback --to 7 --json"],
  args: {},
  flags: {
    to: {
      kind: "text",
      value: "generation",
      summary: "Its number in `gum plugin history`; without it, the one before the last change.",
    },
    ...pipelineFlags,
  },
  async run({ flags }, context) {
    const to =
      flags.to === undefined ? undefined : readWholeNumber("plugin rollback", "The flag --to", flags.to);
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { rollBack } = await import("../../../kernel/past.ts");
    const answer = await rollBack(kernel, to);
    await tellWarnings(answer.warnings, context);
    await context.answer(answer, () => rolledBackText(answer));
    return 0;
  },
});

/** What a person reads after a rollback. */
export function rolledBackText({ to, generation, plugins }: RollbackAnswer): string {
  const names = plugins.map(({ id, version }) => `${id} ${version}`).join(", ");
  return cellText(`Generation ${generation} has the plugins of generation ${to}: ${names || "none"}.`).concat(
    "\n",
  );
}
