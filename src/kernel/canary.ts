import { errorCodes } from "../base/error-codes.ts";
import { asGumError, GumError, type Warning } from "../base/errors.ts";
import { hintFor } from "../model/envelope.ts";
import type { Registry, Status } from "../model/registry.ts";
import type { TrialRequest } from "../model/trial.ts";
import type { StepRecord } from "../pipeline/step.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { statusOf } from "../registry/rows.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import { activeRegistry } from "./activation.ts";
import type { CanariesAnswer, CanaryAnswer, CanaryError } from "./answers-canary.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

export interface CanaryWishes {
  readonly live: boolean;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** Tries one installed plugin (C4). What the plugin did wrong is an answer; what gum could not do is thrown. */
export async function runCanary(kernel: Kernel, id: string, wishes: CanaryWishes): Promise<CanaryAnswer> {
  const row = findPlugin(await activeRegistry(kernel), id);
  if (wishes.args !== undefined && row.plugin.canary === null) {
    throw new GumError("USAGE", `The plugin "${id}" has no trial call that could be given arguments.`, {
      hint: "its canary is the handshake; a manifest declares a call in requirements.canary",
    });
  }
  const steps: StepRecord[] = [];
  const warnings: Warning[] = [];
  const request: TrialRequest = { live: wishes.live, args: wishes.args, acceptDrift: false };
  const telling: Kernel = {
    ...kernel,
    onStep: (record, index) => {
      steps.push(record);
      kernel.onStep?.(record, index);
    },
  };
  const about = { plugin: id, live: wishes.live, steps, warnings };
  try {
    const input = { profile: kernel.profile, pluginId: id, trialRequest: request };
    const { state } = await run(telling, "canary", input, {
      onWarning: (warning) => void warnings.push(warning),
    });
    const { spawnMs, latencyMs } = given(state, "verdict");
    const called = given(state, "trialCall") !== null;
    const status = await statusNow(kernel, id);
    const latency_ms = called ? Math.round(latencyMs) : null;
    return { ok: true, ...about, latency_ms, spawn_ms: Math.round(spawnMs), status };
  } catch (thrown) {
    kernel.signal.throwIfAborted();
    const error = asGumError(thrown);
    if (!isVerdict(error)) throw error;
    const status = await statusNow(kernel, id);
    const live = wishes.live && row.plugin.canary !== null;
    return {
      ok: false,
      ...about,
      latency_ms: live ? timeOf(steps, "call-canary") : null,
      spawn_ms: timeOf(steps, "open-trial"),
      status,
      error: viewOf(error, id),
    };
  }
}

/** How long a step of a run that failed later took; null where it did not end well. */
function timeOf(steps: readonly StepRecord[], name: string): number | null {
  const record = steps.find(({ step, outcome }) => step === name && outcome === "ok");
  return record === undefined ? null : Math.round(record.ms);
}

/** Tries every active plugin, a few at a time; the order of the answers is that of the inventory (C11). */
export async function runCanaries(
  kernel: Kernel,
  wishes: { readonly live: boolean; readonly jobs: number },
  onAnswer?: (answer: CanaryAnswer, done: number, total: number) => void,
): Promise<CanariesAnswer> {
  const ids = activeIds(await activeRegistry(kernel));
  const answers: CanaryAnswer[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < ids.length; index = next++) {
      const answer = await runCanary(kernel, ids[index] ?? "", { live: wishes.live });
      answers[index] = answer;
      onAnswer?.(answer, ++done, ids.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(wishes.jobs, ids.length) }, work));
  return { ok: answers.every(({ ok }) => ok), live: wishes.live, canaries: answers };
}

function activeIds({ lock, state }: Registry): string[] {
  const active = new Set(state.plugins.filter((row) => statusOf(row) === "active").map(({ name }) => name));
  return lock.plugins.map(({ name }) => name).filter((name) => active.has(name));
}

/** A failure that says something about the plugin, as opposed to the machine, the profile or the command line. */
function isVerdict({ code }: GumError): boolean {
  return ["plugin", "trust", "configuration", "refused"].includes(errorCodes[code].exit);
}

function viewOf({ code, message, info }: GumError, plugin: string): CanaryError {
  return {
    code,
    message,
    hint: hintFor(code, info.hint, { plugin }),
    details: info.details ?? null,
  };
}

/** The plugin's status as it is now. */
export async function statusNow(kernel: Kernel, id: string): Promise<Status> {
  const { state } = await readRegistry(kernel.host, kernel.profile);
  const row = state.plugins.find(({ name }) => name === id);
  if (row === undefined)
    throw new GumError("PLUGIN_NOT_FOUND", `The plugin "${id}" is not installed any more.`);
  return statusOf(row);
}
