import { exitCodes } from "../../../base/error-codes.ts";
import { defineCommand } from "../../command.ts";
import { renderTable } from "../../table.ts";

export const test = defineCommand({
  name: "sandbox test",
  summary: "Try to escape from the sandbox on this machine, and print what was refused.",
  examples: ["gum sandbox test", "gum sandbox test --json"],
  args: {},
  flags: {},
  async run(_, context) {
    const kernel = await context.kernel();
    const { hasEscaped, testSandbox } = await import("../../../kernel/sandbox-test.ts");
    const attempts = await testSandbox(kernel);
    const rows = attempts.map(({ area, what, control, confined, verdict }) => [
      area,
      what,
      control,
      confined,
      verdict,
    ]);
    const header = ["AREA", "A PLUGIN TRIES TO", "WITHOUT SANDBOX", "INSIDE", "VERDICT"];
    await context.answer(attempts, (style) => renderTable(header, rows, style));
    if (!context.json) await context.note(`${tally(attempts)}\n`);
    return hasEscaped(attempts) ? exitCodes.trust : exitCodes.ok;
  },
});

function tally(attempts: readonly { readonly verdict: string }[]): string {
  const count = (wanted: string) => attempts.filter(({ verdict }) => verdict === wanted).length;
  return `${count("denied")} denied, ${count("unproven")} that nobody could do here anyway, ${count("open")} open.`;
}
