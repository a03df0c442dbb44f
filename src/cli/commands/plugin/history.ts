import type { HistoryView } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";
import { renderTable } from "../../table.ts";

export const history = defineCommand({
  name: "plugin history",
  summary: "List the generations in which plugins or claims changed, newest first.",
  examples: ["gum plugin history", "gum plugin history --json"],
  args: {},
  flags: {},
  async run(_, context) {
    const kernel = await context.kernel();
    const { listHistory } = await import("../../../kernel/past.ts");
    const lines = await listHistory(kernel);
    if (lines.length === 0 && kernel.host.terminal.interactive.stdout && !context.json) {
      await context.note(`Profile "${kernel.profile.name}" has no history yet.\n`);
      return 0;
    }
    const rows = lines.map((line) => [
      `${line.generation}${line.current ? " *" : ""}`,
      line.at,
      line.command,
      line.changes.map(changeText).join(", "),
    ]);
    await context.answer(lines, (style) =>
      renderTable(["GENERATION", "AT", "COMMAND", "CHANGES"], rows, style),
    );
    return 0;
  },
});

/** One change in a few words. */
export function changeText({ what, name, from, to }: HistoryView["changes"][number]): string {
  switch (what) {
    case "plugin_added":
      return `added ${name} ${to}`;
    case "plugin_removed":
      return `removed ${name} ${from}`;
    case "plugin_upgraded":
      return from === to ? `reinstalled ${name} ${to}` : `${name} ${from} → ${to}`;
    case "plugin_changed":
      return `changed ${name}`;
    case "namespace_claimed":
      return `${name} claimed by ${to}`;
    case "namespace_transferred":
      return `${name} transferred from ${from} to ${to}`;
    case "namespace_released":
      return `${name} released by ${from}`;
  }
}
