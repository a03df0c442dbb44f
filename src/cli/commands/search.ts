import { riskClasses } from "../../model/risk.ts";
import { defineCommand } from "../command.ts";
import { usage } from "../parse.ts";
import { renderTable } from "../table.ts";

const name = "search";

export const search = defineCommand({
  name,
  summary: "Find operations of active plugins by words.",
  examples: [
    "gum search list files",
    "gum search send message --risk write --limit 5",
    "gum search flights --json",
  ],
  args: { words: { take: "rest", summary: "What the operation should do, in your own words." } },
  flags: {
    limit: { kind: "whole", least: 1, most: 100, summary: "How many to show at the most (10)." },
    risk: { kind: "choice", choices: riskClasses, summary: "Only operations of this risk class." },
  },
  async run({ args, flags }, context) {
    const limit = flags.limit ?? 10;
    if (args.words.length === 0) throw usage(name, "Say what to search for");
    const kernel = await context.kernel();
    const { searchOps } = await import("../../kernel/search.ts");
    const hits = await searchOps(kernel, args.words.join(" "), { limit, risk: flags.risk });
    if (hits.length === 0 && !context.json) await context.note("No operation fits these words.\n");
    const rows = hits.map(({ op_id, risk_class, plugin, description }) => [
      op_id,
      risk_class,
      plugin,
      description,
    ]);
    await context.answer(hits, (style) =>
      renderTable(["OPERATION", "RISK", "PLUGIN", "DESCRIPTION"], rows, style),
    );
    return 0;
  },
});
