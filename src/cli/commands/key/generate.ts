import type { KeyGenerateAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";

export const generate = defineCommand({
  name: "key generate",
  summary: "Make an Ed25519 key pair for signing packages.",
  examples: ["gum key generate", "gum key generate release@example --json"],
  args: { name: { take: "optional", summary: "What to call it; shown to whoever trusts the key." } },
  flags: {},
  async run({ args }, context) {
    const kernel = await context.kernel();
    const { generateKey } = await import("../../../kernel/keys.ts");
    const answer = await generateKey(kernel, args.name);
    await context.answer(answer, () => generatedText(answer));
    return 0;
  },
});

/** What a person reads after a key was made. */
export function generatedText({ id, public_file, private_file }: KeyGenerateAnswer): string {
  return [
    `Made the key ${id}.`,
    `  public   ${public_file}`,
    `  private  ${private_file}`,
    "Give the public file to those who install your plugins; keep the private one to yourself.",
    "",
  ].join("\n");
}
