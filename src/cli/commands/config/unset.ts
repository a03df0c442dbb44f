import { defineCommand } from "../../command.ts";
import { configText } from "../../config-value.ts";
import { cellText } from "../../table.ts";
import { tellWarnings } from "../../warnings.ts";

export const unset = defineCommand({
  name: "config unset",
  summary: "Take a configuration key out of the profile's config.toml; its default holds again.",
  examples: ["gum config unset plugins.require_signatures", "gum config unset pipelines.dir --json"],
  args: { key: { summary: "The key; see `gum config list`." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { unsetConfigKey } = await import("../../../kernel/config.ts");
    const answer = await unsetConfigKey(kernel, args.key);
    await tellWarnings(answer.warnings, context);
    const shown = cellText(configText({ ...answer, secret: false }));
    const said = answer.changed ? "is unset" : "was not set";
    await context.answer(answer, () => `${answer.key} ${said}; its value is ${shown || "none"}.\n`);
    return 0;
  },
});
