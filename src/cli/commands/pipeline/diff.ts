import type { PipelineDifference } from "../../../kernel/answers.ts";
import { defineCommand } from "../../command.ts";
import { cellText } from "../../table.ts";

export const diff = defineCommand({
  name: "pipeline diff",
  summary: "Compare edited pipelines with the shipped ones, step by step.",
  examples: ["gum pipeline diff ./pipelines", "gum pipeline diff ./pipelines --json"],
  args: { dir: { summary: "The folder of edited pipelines." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { diffPipelines } = await import("../../../kernel/pipeline-diff.ts");
    const differences = await diffPipelines(kernel, args.dir);
    await context.answer(differences, () => diffText(differences));
    return 0;
  },
});

/** One line per change, under the pipeline's name. */
export function diffText(differences: readonly PipelineDifference[]): string {
  if (differences.length === 0) return "No pipeline differs from the shipped one.\n";
  return differences
    .flatMap(({ pipeline, changes }) => [
      `${pipeline}:\n`,
      ...changes.map(({ text }) => `  ${cellText(text)}\n`),
    ])
    .join("");
}
