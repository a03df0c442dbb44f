import { defineCommand } from "../../command.ts";

export const trust = defineCommand({
  name: "key trust",
  summary: "Let the signatures of a key count in this profile.",
  examples: ["gum key trust ./publisher.pem", "gum key trust release@example --json"],
  args: { key: { summary: "A PEM file with a public key, or an own key by id or name." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { trustKey } = await import("../../../kernel/keys.ts");
    const answer = await trustKey(kernel, args.key);
    const said = answer.changed ? "is trusted now" : "was trusted already";
    await context.answer(answer, () => `The key ${answer.id} ${said}.\n`);
    return 0;
  },
});
