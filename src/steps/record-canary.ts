import type { Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";
import type { LockRow } from "../model/registry.ts";
import type { OpenTrial, PinOutcome, TrialVerdict } from "../model/trial.ts";
import { defineStep, type RunRecord } from "../pipeline/step.ts";
import { afterCanary, type CanaryEnd, keepCanary, quarantineCode } from "../registry/canaries.ts";
import { publish } from "../registry/generations.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { withState } from "../registry/rows.ts";
import { repin, schemasToPin } from "./pins.ts";

/** Keeps how the trial ended: in the registry when a status changes with it, in the cache folder always (C15). */
export const recordCanary = defineStep({
  name: "record-canary",
  summary: "Keep how the trial ended; quarantine a plugin that failed it.",
  needs: ["profile", "pluginId", "trialRequest"],
  wants: ["installed", "trial", "pinOutcome", "verdict", "update"],
  gives: [],
  codes: ["REGISTRY_IO", "REGISTRY_LOCKED"],
  always: true,
  async run(state, { host, run, note }) {
    const { profile, installed, trialRequest, trial, verdict } = state;
    if (installed === undefined) return {};
    const end = endOf(run, verdict, trialRequest.live);
    // A reload that went well has published its own generation.
    const changed =
      end !== undefined && !(end.ok && state.update !== undefined)
        ? await changeStatus(host, profile, installed, end, firstPins(state))
        : false;
    if (changed) note(end?.ok === true ? "its status has changed" : "quarantined");
    await keepCanary(host, profile, {
      plugin: installed.name,
      at: new Date(host.clock.now()).toISOString(),
      ok: run.error === undefined,
      live: trialRequest.live,
      latency_ms: verdict === undefined ? null : Math.round(verdict.latencyMs),
      spawn_ms: trial === undefined ? null : Math.round(trial.spawnMs),
      code: run.error?.code ?? null,
      reason: run.error?.message ?? null,
    });
    return {};
  },
});

function endOf(run: RunRecord, verdict: TrialVerdict | undefined, live: boolean): CanaryEnd | undefined {
  if (run.error !== undefined) {
    const code = quarantineCode(run.error.code);
    return code === undefined ? undefined : { ok: false, code, reason: run.error.message };
  }
  if (verdict === undefined) return undefined;
  return { ok: true, whole: verdict.whole, live: live && verdict.whole, latencyMs: verdict.latencyMs };
}

/** The tools of a trial that was the first to see them. */
function firstPins({
  trial,
  pinOutcome,
}: {
  trial?: OpenTrial;
  pinOutcome?: PinOutcome;
}): OpenTrial | undefined {
  return pinOutcome?.kind === "first" ? trial : undefined;
}

/** Publishes what the trial changes of the plugin; false when it changes nothing or another install stands there now. */
async function changeStatus(
  host: Host,
  profile: Profile,
  installed: LockRow,
  end: CanaryEnd,
  unpinned: OpenTrial | undefined,
): Promise<boolean> {
  const { name } = installed;
  const tools = end.ok ? (unpinned?.description.tools ?? []) : [];
  if (tools.length === 0 && !(await wouldChange(host, profile, name, end))) return false;
  const { changed } = await publish(
    host,
    profile,
    (current) => {
      const row = current.lock.plugins.find((one) => one.name === name);
      if (row?.install_root !== installed.install_root) return current;
      const pinned = tools.length === 0 ? current : repin(current, name, tools);
      return withState(pinned, name, (state) => afterCanary(state, end, host.clock.now()));
    },
    { command: `canary ${name}`, schemas: schemasToPin(installed, tools) },
  );
  return changed;
}

/** Whether there is anything to publish; the install lock is not taken to find out. */
async function wouldChange(host: Host, profile: Profile, plugin: string, end: CanaryEnd): Promise<boolean> {
  const { state } = await readRegistry(host, profile);
  const row = state.plugins.find(({ name }) => name === plugin);
  return row !== undefined && afterCanary(row, end, host.clock.now()) !== row;
}
