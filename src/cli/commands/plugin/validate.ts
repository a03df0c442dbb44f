import { exitCodeOf, exitCodes } from "../../../base/error-codes.ts";
import type { ValidateAnswer } from "../../../kernel/answers.ts";
import { hintFor } from "../../../model/envelope.ts";
import { defineCommand } from "../../command.ts";
import { pipelineFlags } from "../../flags.ts";
import { renderError } from "../../render-error.ts";
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
    const { terminal } = kernel.host;
    if (context.json) await context.answer(answer, () => "");
    else {
      const view = { findings: [first, ...rest] as const, hint: hintFor(first.code, undefined, undefined) };
      terminal.err(renderError(view, context.globals.color && terminal.colour));
    }
    return exitCodeOf(first.code);
  },
});

function validText({ plugin, file }: ValidateAnswer): string {
  return `${file ?? "The manifest"} is valid: ${plugin?.id} ${plugin?.version}, ${plugin?.shape}.\n`;
}
