import { defineCommand } from "../../command.ts";
import { renderTable } from "../../table.ts";

export const list = defineCommand({
  name: "plugin list",
  summary: "List the installed plugins: id, version, name, status.",
  examples: ["gum plugin list", "gum plugin list --json", "gum plugin list | cut -f4"],
  args: {},
  flags: {},
  async run(_, context) {
    const kernel = await context.kernel();
    const { listPlugins } = await import("../../../kernel/inventory.ts");
    const plugins = await listPlugins(kernel);
    if (plugins.length === 0 && kernel.host.terminal.interactive.stdout && !context.json) {
      await context.note(`No plugin is installed in profile "${kernel.profile.name}".\n`);
      return 0;
    }
    const rows = plugins.map(({ id, version, name, status }) => [id, version, name, status]);
    await context.answer(plugins, (style) => renderTable(["ID", "VERSION", "NAME", "STATUS"], rows, style));
    return 0;
  },
});
