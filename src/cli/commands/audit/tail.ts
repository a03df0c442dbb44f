import type { AuditRowAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";
import { renderTable } from "../../table.ts";
import { readWholeNumber } from "../../whole-number.ts";

const defaultLines = 20;

export const tail = defineCommand({
  name: "audit tail",
  summary: "Show the last rows of the audit log, oldest first.",
  examples: ["gum audit tail", "gum audit tail --lines 5 --plugin hello --json"],
  args: {},
  flags: {
    lines: { kind: "text", value: "number", summary: `How many rows (${defaultLines}).` },
    plugin: { kind: "text", value: "id", summary: "Only rows about this plugin." },
  },
  async run({ flags }, context) {
    const lines =
      flags.lines === undefined
        ? defaultLines
        : readWholeNumber("audit tail", "The flag --lines", flags.lines);
    const kernel = await context.kernel();
    const { tailAuditLog } = await import("../../../kernel/audit-log.ts");
    const rows = await tailAuditLog(kernel, { lines, plugin: flags.plugin });
    await context.answer(rows, (style) =>
      renderTable(["ROW", "AT", "EVENT", "OUTCOME", "PLUGIN", "CODE"], rows.map(cells), style),
    );
    return 0;
  },
});

function cells({ seq, at, event, outcome, plugin, code }: AuditRowAnswer): string[] {
  return [String(seq), at, event, outcome, plugin ?? "", code ?? ""];
}
