import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { clearQuarantine } from "../registry/backoff.ts";
import { withState } from "../registry/rows.ts";
import { repin, schemasToPin } from "./pins.ts";

/** The next generation with the plugin as its trial found it: no quarantine, and its tools pinned as they are now. */
export const composeReload = defineStep({
  name: "compose-reload",
  summary: "Lift the quarantine in the next generation, and pin accepted tools.",
  needs: ["installed", "clearable", "trial", "pinOutcome", "verdict", "trialClosed"],
  gives: ["update"],
  codes: ["PLUGIN_NOT_FOUND"],
  run({ installed, trial, pinOutcome, verdict }, { host }) {
    const { tools } = trial.description;
    const { name } = installed;
    const changesPins = pinOutcome.kind !== "same";
    const canary = {
      at: new Date(host.clock.now()).toISOString(),
      ok: true,
      latency_ms: Math.round(verdict.latencyMs),
      code: null,
    };
    return {
      update: {
        command: `plugin reload ${name}`,
        schemas: changesPins ? schemasToPin(installed, tools) : [],
        change: (current) => {
          const row = current.lock.plugins.find((one) => one.name === name);
          if (row?.install_root !== installed.install_root) throw replaced(name);
          const pinned = changesPins ? repin(current, name, tools) : current;
          return withState(pinned, name, (state) => ({ ...clearQuarantine(state), last_canary: canary }));
        },
      },
    };
  },
});

function replaced(name: string): GumError {
  return new GumError("PLUGIN_NOT_FOUND", `The plugin "${name}" was removed or replaced while it was tried.`);
}
