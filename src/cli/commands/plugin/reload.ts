import type { ReloadAnswer } from "../../../kernel/answers-canary.ts";
import { defineCommand } from "../../command.ts";
import { pipelineFlags } from "../../flags.ts";
import { cellText } from "../../table.ts";
import { tellWarnings } from "../../warnings.ts";

export const reload = defineCommand({
  name: "plugin reload",
  summary: "Prove a plugin once more, try it, and lift its quarantine if it passes.",
  examples: ["gum plugin reload hello", "gum plugin reload hello --accept-drift --json"],
  args: { id: { summary: "The plugin's id." } },
  flags: {
    "accept-drift": {
      kind: "switch",
      summary: "Pin its tools as they are now, if all that changed is compatible.",
    },
    ...pipelineFlags,
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { reloadPlugin } = await import("../../../kernel/reload.ts");
    const answer = await reloadPlugin(kernel, args.id, { acceptDrift: flags["accept-drift"] });
    await tellWarnings(answer.warnings, context);
    await context.answer(answer, () => reloadText(answer));
    return 0;
  },
});

function reloadText({ plugin, accepted }: ReloadAnswer): string {
  const lines = accepted.map(
    ({ tool, path, what }) => `  ${[tool, path].join(" ").trim()} ${cellText(what)}\n`,
  );
  return [`reloaded ${plugin}\n`, ...(lines.length > 0 ? ["accepted:\n", ...lines] : [])].join("");
}
