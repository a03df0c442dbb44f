import { exitCodes } from "../../base/error-codes.ts";
import { defineCommand } from "../command.ts";
import { renderTable } from "../table.ts";

export const doctor = defineCommand({
  name: "doctor",
  summary: "Look at sandbox, registry, audit log and pipelines, and say what to do about each fault.",
  examples: ["gum doctor", "gum doctor --json"],
  args: {},
  flags: {},
  async run(_, context) {
    const kernel = await context.kernel();
    const { examine } = await import("../../kernel/doctor.ts");
    const examined = await examine(kernel);
    const marks = { ok: "✓", note: "–", fault: "✗" } as const;
    const rows = examined.map(({ what, verdict, finding, next }) => [
      marks[verdict],
      what,
      finding,
      next ?? "",
    ]);
    await context.answer(examined, (style) => renderTable(["", "WHAT", "FOUND", "NEXT"], rows, style));
    return examined.some(({ verdict }) => verdict === "fault") ? exitCodes.registry : exitCodes.ok;
  },
});
