import { defineCommand } from "../../command.ts";
import { renderRecord } from "../../record.ts";
import { readWholeNumber } from "../../whole-number.ts";

export const show = defineCommand({
  name: "audit show",
  summary: "Show one row of the audit log, whole.",
  examples: ["gum audit show 12", "gum audit show 12 --json"],
  args: { row: { summary: "The row's number in `gum audit tail`." } },
  flags: {},
  async run({ args }, context) {
    const seq = readWholeNumber("audit show", "The argument <row>", args.row);
    const kernel = await context.kernel();
    const { showAuditRow } = await import("../../../kernel/audit-log.ts");
    const row = await showAuditRow(kernel, seq);
    await context.answer(row, () => renderRecord(row));
    return 0;
  },
});
