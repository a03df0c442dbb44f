import type { PackAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";
import { pipelinesFlag } from "../../flags.ts";
import { tellWarnings } from "../../warnings.ts";

export const pack = defineCommand({
  name: "plugin pack",
  summary: "Make an archive of a plugin's folder, the same bytes every time.",
  examples: [
    "gum plugin pack ./hello",
    "gum plugin pack ./hello --out dist/hello.zip",
    "gum plugin pack ./hello --sign release@example --json",
  ],
  args: { dir: { summary: "The plugin's folder." } },
  flags: {
    out: { kind: "text", value: "file", summary: "The archive, .tgz or .zip (<id>-<version>.tgz)." },
    sign: {
      kind: "text",
      value: "key",
      summary: "Sign it with this own key (id or name), or with the private key in this PEM file.",
    },
    ...pipelinesFlag,
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines });
    const { pack: packPlugin } = await import("../../../kernel/pack.ts");
    const answer = await packPlugin(kernel, args.dir, { out: flags.out, sign: flags.sign });
    await tellWarnings(answer.warnings, context);
    await context.answer(answer, () => packedText(answer));
    return 0;
  },
});

/** What a person reads after a plugin was packed. */
export function packedText({ file, sha256, size, entries, signature }: PackAnswer): string {
  const lines = [`file    ${file}`, `sha256  ${sha256}`, `size    ${size} bytes, ${entries} entries`];
  if (signature !== null) lines.push(`signed  ${signature.file}, key ${signature.key_id}`);
  return `${lines.join("\n")}\n`;
}
