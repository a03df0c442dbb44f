import { defineCommand } from "../../command.ts";
import { configText } from "../../config-value.ts";
import { cellText } from "../../table.ts";
import { tellWarnings } from "../../warnings.ts";

export const set = defineCommand({
  name: "config set",
  summary: "Set a configuration key in the profile's config.toml.",
  examples: [
    "gum config set plugins.require_signatures true",
    "gum config set plugins.allow_runtime_deps left-pad@1.3.0,ms@2.1.3 --json",
  ],
  args: {
    key: { summary: "The key; see `gum config list`." },
    value: { summary: "Its value; a list is divided by commas, or written as a JSON array." },
  },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { setConfigKey } = await import("../../../kernel/config.ts");
    const answer = await setConfigKey(kernel, args.key, args.value);
    await tellWarnings(answer.warnings, context);
    const shown = cellText(configText({ ...answer, secret: false }));
    await context.answer(answer, () => `${answer.key} = ${shown}\n`);
    return 0;
  },
});
