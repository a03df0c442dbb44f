import { defineCommand } from "../../command.ts";
import { renderRecord } from "../../record.ts";

export const info = defineCommand({
  name: "plugin info",
  summary: "Show everything the registry knows about a plugin.",
  examples: ["gum plugin info hello", "gum plugin info hello --json"],
  args: { id: { summary: "The plugin's id." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { pluginInfo } = await import("../../../kernel/inventory.ts");
    const record = await pluginInfo(kernel, args.id);
    await context.answer(record, () => renderRecord(record));
    return 0;
  },
});
