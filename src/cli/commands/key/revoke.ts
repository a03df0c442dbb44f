import { defineCommand } from "../../command.ts";

export const revoke = defineCommand({
  name: "key revoke",
  summary: "Make sure that the signatures of a key never count again in this profile.",
  examples: ["gum key revoke 0123456789abcdef", "gum key revoke release@example --json"],
  args: { key: { summary: "The key's id, or its name where only one has it." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { revokeKey } = await import("../../../kernel/keys.ts");
    const answer = await revokeKey(kernel, args.key);
    const said = answer.changed
      ? "is revoked now; plugins that it signed are refused"
      : "was revoked already";
    await context.answer(answer, () => `The key ${answer.id} ${said}.\n`);
    return 0;
  },
});
