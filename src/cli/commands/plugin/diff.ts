import { exitCodes } from "../../../base/error-codes.ts";
import type { DiffAnswer } from "../../../kernel/answers-canary.ts";
import { defineCommand } from "../../command.ts";
import { renderTable } from "../../table.ts";

export const diff = defineCommand({
  name: "plugin diff",
  summary: "Start a plugin and show how its tools differ from those that were pinned at install.",
  examples: ["gum plugin diff hello", "gum plugin diff hello --json"],
  args: { id: { summary: "The plugin's id." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { diffPlugin } = await import("../../../kernel/drift.ts");
    const answer = await diffPlugin(kernel, args.id);
    if (!answer.drift && !context.json) await context.note(`${answer.plugin}: ${sameText(answer)}\n`);
    const rows = answer.changes.map((change) => [change.class, change.tool, change.path || "-", change.what]);
    await context.answer(answer, (style) =>
      answer.drift ? renderTable(["CLASS", "TOOL", "WHERE", "CHANGE"], rows, style) : "",
    );
    return answer.drift ? exitCodes.trust : exitCodes.ok;
  },
});

function sameText({ tools }: DiffAnswer): string {
  return `${tools.running === 1 ? "its tool is" : `all ${tools.running} tools are`} as pinned.`;
}
