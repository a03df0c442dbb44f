import { GumError } from "../base/errors.ts";
import type { StateRow } from "../model/registry.ts";
import { defineStep } from "../pipeline/step.ts";
import { trustFaults } from "../registry/backoff.ts";
import { readRegistry } from "../registry/read-registry.ts";

/** Refuses to lift what only a reinstall or a person's word may lift; everything else a passing trial lifts (C10). */
export const clearQuarantine = defineStep({
  name: "clear-quarantine",
  summary: "Refuse a quarantine that a trial cannot lift.",
  needs: ["installed", "profile", "trialRequest", "trialProgram", "verification"],
  gives: ["clearable"],
  codes: ["PLUGIN_QUARANTINED", "REGISTRY_IO"],
  async run({ installed, profile, trialRequest }, { host, note }) {
    const { state } = await readRegistry(host, profile);
    const row = state.plugins.find(({ name }) => name === installed.name);
    if (row === undefined || !row.quarantined) {
      note("not quarantined");
      return { clearable: true };
    }
    if (!installed.linked && isLasting(row, trialRequest.acceptDrift)) throw lasting(row);
    note(`${row.last_error_code ?? "unknown"} may be lifted`);
    return { clearable: true };
  },
});

/** C9: the plugin was not the one that was trusted. Compatible drift can be accepted, which is judged at the pins. */
function isLasting({ last_error_code }: StateRow, acceptDrift: boolean): boolean {
  if (last_error_code === null || !trustFaults.has(last_error_code)) return false;
  return !(last_error_code === "PLUGIN_TOOLS_DRIFT" && acceptDrift);
}

function lasting({ name, last_error_code, reason }: StateRow): GumError {
  const drift = last_error_code === "PLUGIN_TOOLS_DRIFT";
  const look = drift
    ? `see \`gum plugin diff ${name}\`; compatible changes are accepted by \`gum plugin reload ${name} --accept-drift\``
    : `install it again, or lift it with \`gum plugin unquarantine ${name} --yes\``;
  return new GumError(
    "PLUGIN_QUARANTINED",
    `The quarantine of "${name}" (${last_error_code ?? "unknown"}) cannot be lifted by a reload.`,
    { hint: look, details: { status: "quarantined", reason, last_error_code, permanent: true } },
  );
}
