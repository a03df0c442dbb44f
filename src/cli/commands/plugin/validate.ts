import { exitCodeOf, exitCodes } from "../../../base/error-codes.ts";
import type { ValidateAnswer } from "../../../kernel/answers.ts";
import { defineCommand } from "../../command.ts";
import { pipelineFlags } from "../../flags.ts";
import { tellFindings } from "../../render-error.ts";
import { tellWarnings } from "../../warnings.ts";

export const validate = defineCommand({
  name: "plugin validate",
  summary: "Check a plugin as install would; nothing is started, nothing is written.",
  examples: ["gum plugin validate ./hello", "gum plugin validate ./hello/manifest.json --strict --json"],
  args: { source: { summary: "The plugin's folder, or the manifest in it." } },
  flags: {
    strict: { kind: "switch", summary: "Refuse what is only warned about otherwise." },
    owner: { kind: "text", value: "owner", summary: "The namespace owner, when the manifest names none." },
    ...pipelineFlags,
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { validate: validatePlugin } = await import("../../../kernel/validate.ts");
    const answer = await validatePlugin(kernel, args.source, { strict: flags.strict, owner: flags.owner });
    await tellWarnings(answer.warnings, context);
    const [first, ...rest] = answer.findings;
    if (first === undefined) {
      await context.answer(answer, () => validText(answer));
      return exitCodes.ok;
    }
    if (context.json) await context.answer(answer, () => "");
    else tellFindings([first, ...rest], context, kernel.host.terminal);
    return exitCodeOf(first.code);
  },
});

function validText({ plugin, file }: ValidateAnswer): string {
  return `${file ?? "The manifest"} is valid: ${plugin?.id} ${plugin?.version}, ${plugin?.shape}.\n`;
}
