import { exitCodes } from "../../../base/error-codes.ts";
import type { VerifyAnswer, VerifyFileAnswer } from "../../../kernel/answers-trust.ts";
import { defineCommand } from "../../command.ts";
import type { Context, Style } from "../../context.ts";
import { pipelineFlags } from "../../flags.ts";
import { usage } from "../../parse.ts";
import { cellText, renderTable } from "../../table.ts";
import { tellWarnings } from "../../warnings.ts";

export const verify = defineCommand({
  name: "plugin verify",
  summary: "Compare installed plugins with what was installed, or check an archive's signature.",
  examples: [
    "gum plugin verify",
    "gum plugin verify hello --deep --json",
    "gum plugin verify ./hello-1.0.0.tgz",
  ],
  args: {
    plugin: {
      take: "optional",
      summary: "An installed plugin's id, or an archive's path; without it, all installed plugins.",
    },
  },
  flags: {
    deep: { kind: "switch", summary: "Read every file, not only those that look touched." },
    ...pipelineFlags,
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { verifyFile, verifyPlugins } = await import("../../../kernel/verify.ts");
    if (args.plugin !== undefined && isPath(args.plugin)) {
      if (flags.deep) throw usage("plugin verify", "--deep is for installed plugins, not for an archive");
      const answer = await verifyFile(kernel, args.plugin);
      await context.answer(answer, () => fileText(answer));
      return answer.ok ? exitCodes.ok : exitCodes.trust;
    }
    const answer = await verifyPlugins(kernel, args.plugin, flags.deep ? "deep" : "seal");
    await tellWarnings(answer.warnings, context);
    await tell(answer, context);
    return answer.ok ? exitCodes.ok : exitCodes.trust;
  },
});

/** No plugin's id holds a dot or a slash, and every archive's path does. */
function isPath(word: string): boolean {
  return /[./]/.test(word);
}

async function tell(answer: VerifyAnswer, context: Context): Promise<void> {
  const { registry } = answer;
  if (registry.altered.length > 0 && !context.json) {
    const files = registry.altered.join(", ");
    await context.note(
      `Generation ${registry.generation} of the registry is not as gum wrote it: ${files}.\n`,
    );
  }
  const { terminal } = await context.host();
  if (answer.plugins.length === 0 && terminal.interactive.stdout && !context.json) {
    return context.note("No plugin is installed in this profile.\n");
  }
  await context.answer(answer, (style) => verifiedTable(answer, style));
}

/** One line per plugin. */
export function verifiedTable({ plugins }: VerifyAnswer, style: Style): string {
  const rows = plugins.map(({ id, version, ok, code, message, entries, hashed }) => [
    id,
    version,
    ok ? "ok" : (code ?? "differs"),
    ok ? `${entries} entries, ${hashed} read` : (message ?? ""),
  ]);
  return renderTable(["ID", "VERSION", "RESULT", "FOUND"], rows, style);
}

/** Digest and signature of an archive. */
export function fileText({ file, sha256, size, signature }: VerifyFileAnswer): string {
  const { state, key_id, reason } = signature;
  const key = key_id === null ? "" : ` by key ${key_id}`;
  const said = state === "verified" ? `verified${key}` : `${state}: the signature ${reason}`;
  const rows: readonly (readonly [string, string])[] = [
    ["file", file],
    ["sha256", sha256],
    ["size", `${size} bytes`],
    ["signature", said],
  ];
  return rows.map(([label, text]) => `${label.padEnd(11)}${cellText(text)}\n`).join("");
}
