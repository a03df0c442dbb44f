import type { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { trustFaults } from "../registry/backoff.ts";
import { recordAnswer, recordCrash, recordTimeout } from "../registry/outcomes.ts";
import { countsAsCrash } from "../wire/failure.ts";

/** Counts crashes towards quarantine and clears what an answer has disproven; other outcomes change nothing. */
export const recordOutcome = defineStep({
  name: "record-outcome",
  summary: "Count a crash towards quarantine, or clear what an answer has disproven.",
  needs: ["profile"],
  wants: ["resolved", "cached", "answer"],
  gives: [],
  codes: ["REGISTRY_IO", "REGISTRY_LOCKED"],
  always: true,
  async run({ profile, resolved, cached, answer }, { host, run, note }) {
    if (resolved === undefined) return {};
    const { state } = resolved;
    const { error } = run;
    if (answer !== undefined) {
      // A remembered answer says nothing about the plugin.
      if (cached?.use !== "hit" && (await recordAnswer(host, profile, state)))
        note("its quarantine is lifted");
      return {};
    }
    if (error === undefined) return {};
    const late = error.code === "PLUGIN_TIMEOUT" && !countsAsCrash(error);
    const crashed = isCrash(error) || (late && (await recordTimeout(host, profile, state)));
    if (!crashed) return {};
    const row = await recordCrash(host, profile, state, error);
    if (row !== undefined)
      note(row.permanent_quarantine ? "quarantined" : `rests until ${row.next_retry_at}`);
    return {};
  },
});

/** C8: the plugin died, could not be started, or is not the one that was installed. */
function isCrash(error: GumError): boolean {
  if (trustFaults.has(error.code) || error.code === "PLUGIN_TOOLS_MISMATCH") return true;
  return (error.code === "SERVICE_DOWN" || error.code === "PLUGIN_TIMEOUT") && countsAsCrash(error);
}
