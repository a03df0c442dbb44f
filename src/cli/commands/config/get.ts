import { defineCommand } from "../../command.ts";
import { configText } from "../../config-value.ts";
import { cellText } from "../../table.ts";

export const get = defineCommand({
  name: "config get",
  summary: "Print the effective value of a configuration key.",
  examples: ["gum config get plugins.require_signatures", "gum config get generations.keep --json"],
  args: { key: { summary: "The key; see `gum config list`." } },
  flags: { origin: { kind: "switch", summary: "Also say where the value comes from." } },
  async run({ args, flags }, context) {
    const kernel = await context.kernel();
    const { getConfig } = await import("../../../kernel/config.ts");
    const view = await getConfig(kernel, args.key);
    const origin = flags.origin ? `\t${view.origin}` : "";
    await context.answer(view, () => `${cellText(configText(view))}${origin}\n`);
    return 0;
  },
});
