import { defineCommand } from "../../command.ts";
import { renderTable } from "../../table.ts";

export const list = defineCommand({
  name: "key list",
  summary: "List the keys of the profile: id, kind, state, own or not, name.",
  examples: ["gum key list", "gum key list --json"],
  args: {},
  flags: {},
  async run(_, context) {
    const kernel = await context.kernel();
    const { listKeys } = await import("../../../kernel/keys.ts");
    const keys = await listKeys(kernel);
    if (keys.length === 0 && kernel.host.terminal.interactive.stdout && !context.json) {
      await context.note(`There are no keys in profile "${kernel.profile.name}".\n`);
      return 0;
    }
    const rows = keys.map(({ id, kind, state, own, name }) => [
      id,
      kind,
      state,
      own ? "own" : "",
      name ?? "",
    ]);
    await context.answer(keys, (style) => renderTable(["ID", "KIND", "STATE", "OWN", "NAME"], rows, style));
    return 0;
  },
});
