import type { Warning } from "../base/errors.ts";
import type { Context } from "./context.ts";
import { renderWarning } from "./render-error.ts";

/** Shows warnings on stderr, unless the answer is JSON, which holds them already. */
export async function tellWarnings(warnings: readonly Warning[], context: Context): Promise<void> {
  if (context.json || warnings.length === 0) return;
  const { terminal } = await context.host();
  const colour = context.globals.color && terminal.colour;
  for (const warning of warnings) await context.note(renderWarning(warning, colour));
}
