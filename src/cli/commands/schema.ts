import { didYouMean } from "../../base/suggest.ts";
import { defineCommand } from "../command.ts";
import { usage } from "../parse.ts";
import { schemaTable } from "../schema-table.ts";

export const schema = defineCommand({
  name: "schema",
  summary: "Print a JSON Schema of a manifest, a registry file, a pipeline or an answer.",
  examples: ["gum schema list", "gum schema list --json"],
  args: {
    name: {
      summary: "The schema's name, or `list` for all names.",
      offers: async () => ["list", ...Object.keys(schemaTable)],
    },
  },
  flags: {},
  async run({ args }, context) {
    const names = Object.keys(schemaTable);
    if (args.name === "list") {
      await context.answer(names, () => names.map((name) => `${name}\n`).join(""));
      return 0;
    }
    const load = Object.hasOwn(schemaTable, args.name) ? schemaTable[args.name] : undefined;
    if (load === undefined) {
      const message = `There is no schema "${args.name}"${didYouMean(args.name, names)}`;
      throw usage("schema", message, "see `gum schema list`");
    }
    const value = (await load()).default;
    await context.answer(value, () => `${JSON.stringify(value, null, 2)}\n`);
    return 0;
  },
});
