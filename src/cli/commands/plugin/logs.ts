import { defineCommand } from "../../command.ts";
import { cellText } from "../../table.ts";

export const logs = defineCommand({
  name: "plugin logs",
  summary: "Show what a plugin wrote to stderr in its last session that wrote anything.",
  examples: ["gum plugin logs hello", "gum plugin logs hello --lines 20 --json"],
  args: { id: { summary: "The plugin's id." } },
  flags: {
    lines: { kind: "whole", least: 1, most: 100_000, summary: "How many of the last lines to show (100)." },
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel();
    const { pluginLogs } = await import("../../../kernel/plugin-logs.ts");
    const answer = await pluginLogs(kernel, args.id, flags.lines ?? 100);
    const { plugin, at, lines } = answer;
    if (!context.json) {
      const what = at === null ? `Nothing of ${plugin} is kept.` : `${plugin}, until ${at}:`;
      if (kernel.host.terminal.interactive.stdout || at === null) await context.note(`${cellText(what)}\n`);
    }
    await context.answer(answer, () => lines.map((line) => `${line}\n`).join(""));
    return 0;
  },
});
