import { exitCodes } from "../../../base/error-codes.ts";
import { defineCommand } from "../../command.ts";
import { pipelinesFlag } from "../../flags.ts";
import { tellFindings } from "../../render-error.ts";

export const lint = defineCommand({
  name: "pipeline lint",
  summary: "Check pipeline files completely, without running anything.",
  examples: ["gum pipeline lint", "gum pipeline lint ./pipelines --json"],
  args: {
    dir: { take: "optional", summary: "A folder of edited pipelines; without it, those that run now." },
  },
  flags: { ...pipelinesFlag },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines });
    const { lintPipelines } = await import("../../../kernel/pipelines.ts");
    const { findings, checked } = await lintPipelines(kernel, args.dir);
    const [first, ...rest] = findings;
    if (first === undefined || context.json) {
      const answer = { ok: first === undefined, checked, findings };
      await context.answer(answer, () => `${checked} pipelines are valid.\n`);
    } else tellFindings([first, ...rest], context, kernel.host.terminal);
    return first === undefined ? exitCodes.ok : exitCodes.usage;
  },
});
