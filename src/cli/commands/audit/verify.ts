import type { AuditVerifyAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";

export const verify = defineCommand({
  name: "audit verify",
  summary: "Prove that no row of the audit log was changed or taken away.",
  examples: ["gum audit verify", "gum audit verify --json"],
  args: {},
  flags: {},
  async run(_, context) {
    const kernel = await context.kernel();
    const { verifyAuditLog } = await import("../../../kernel/audit-log.ts");
    const answer = await verifyAuditLog(kernel);
    await context.answer(answer, () => auditText(answer));
    return 0;
  },
});

/** What a person reads about a whole chain. */
export function auditText(answer: AuditVerifyAnswer): string {
  const { rows, first_seq, head, torn, anchored } = answer;
  if (rows === 0) return "The audit log has no rows yet.\n";
  const start = first_seq === 1 ? "" : ` It begins at row ${first_seq}: older parts were taken away.`;
  const end = torn ? " Its last line was cut off by a crash; the next row repairs it." : "";
  return `The chain of ${rows} rows is whole, ${anchored} of them vouched for by generations.${start}${end}\nhead  ${head.seq} ${head.sha256}\n`;
}
