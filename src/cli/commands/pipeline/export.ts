import { defineCommand } from "../../command.ts";

export const exportCommand = defineCommand({
  name: "pipeline export",
  summary: "Write the shipped pipelines into a folder, for editing.",
  examples: ["gum pipeline export ./pipelines"],
  args: { dir: { summary: "The folder to write to; files that are there are never overwritten." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { exportPipelines } = await import("../../../kernel/pipelines.ts");
    const files = await exportPipelines(kernel, args.dir);
    await context.answer({ ok: true, files }, () => files.map((file) => `${file}\n`).join(""));
    return 0;
  },
});
