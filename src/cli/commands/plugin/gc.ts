import type { GcAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";

export const gc = defineCommand({
  name: "plugin gc",
  summary: "Remove installed files that no kept generation and no running server needs.",
  examples: ["gum plugin gc", "gum plugin gc --json"],
  args: {},
  flags: {},
  async run(_, context) {
    const kernel = await context.kernel();
    const { collectUnused } = await import("../../../kernel/past.ts");
    const answer = await collectUnused(kernel);
    await context.answer(answer, () => collectedText(answer));
    return 0;
  },
});

/** What a person reads after a collection. */
export function collectedText({ roots, schemas, in_use }: GcAnswer): string {
  const kept = in_use === 0 ? "" : ` ${in_use} more are in use and stay for now.`;
  return `Removed ${roots} install roots and ${schemas} schemas.${kept}\n`;
}
