import { GumError } from "../base/errors.ts";
import type { CacheLookup } from "../model/call-runtime.ts";

/** The remembered answer that stands in for the plugin. Without one no step of its start may be skipped. */
export function standIn(step: string, cached: CacheLookup): Extract<CacheLookup, { use: "hit" }> {
  if (cached.use === "hit") return cached;
  throw new GumError(
    "PIPELINE_INVALID",
    `Step "${step}" was skipped, and no remembered answer stands in for it.`,
  );
}

/** The error of a step that runs although an earlier one, whose proof it needs, was skipped. */
export function unproven(step: string, lacks: string): GumError {
  return new GumError("PIPELINE_INVALID", `Step "${step}" cannot run: "${lacks}" was skipped.`, {
    hint: 'give both steps the same "when"',
  });
}
