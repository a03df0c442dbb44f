import { defineCommand } from "../../command.ts";
import { configText } from "../../config-value.ts";
import { renderTable } from "../../table.ts";

export const list = defineCommand({
  name: "config list",
  summary: "List every configuration key with its effective value.",
  examples: ["gum config list", "gum config list --origin", "gum config list --json"],
  args: {},
  flags: {
    origin: { kind: "switch", summary: "Also say where each value comes from: default, file or env." },
  },
  async run({ flags }, context) {
    const kernel = await context.kernel();
    const { listConfig } = await import("../../../kernel/config.ts");
    const views = await listConfig(kernel);
    const header = ["KEY", "VALUE", ...(flags.origin ? ["ORIGIN"] : []), "MEANS"];
    const rows = views.map((view) => [
      view.key,
      configText(view),
      ...(flags.origin ? [view.origin] : []),
      view.summary,
    ]);
    await context.answer(views, (style) => renderTable(header, rows, style));
    return 0;
  },
});
