import { defineCommand } from "../../command.ts";
import { pipelinesFlag } from "../../flags.ts";
import { renderTable } from "../../table.ts";

export const list = defineCommand({
  name: "pipeline list",
  summary: "List the pipelines: name, number of steps, shipped or edited, summary.",
  examples: ["gum pipeline list", "gum pipeline list --pipelines ./pipelines --json"],
  args: {},
  flags: { ...pipelinesFlag },
  async run({ flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines });
    const { listPipelines } = await import("../../../kernel/pipelines.ts");
    const pipelines = await listPipelines(kernel);
    const rows = pipelines.map((pipeline) => [
      pipeline.name,
      String(pipeline.steps),
      pipeline.edited ? "edited" : "shipped",
      pipeline.summary,
    ]);
    await context.answer(pipelines, (style) =>
      renderTable(["NAME", "STEPS", "FROM", "SUMMARY"], rows, style),
    );
    return 0;
  },
});
