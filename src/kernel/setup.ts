import { GumError } from "../base/errors.ts";
import { checklistOf, credentialNeeds, withoutVariables } from "../model/credentials.ts";
import type { Plugin } from "../model/plugin.ts";
import type { SetupRequest } from "../model/setup.ts";
import { appendAudit } from "../registry/audit.ts";
import { withConfiguration } from "../registry/backoff.ts";
import { publish } from "../registry/generations.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { withState } from "../registry/rows.ts";
import { openStore } from "../secrets/open-store.ts";
import { forgetCredentials } from "../steps/forget-credentials.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import { findCredentials } from "../steps/plugin-credentials.ts";
import { activeRegistry } from "./activation.ts";
import type { ChecklistItem, SetupAnswer } from "./answers-setup.ts";
import { statusNow } from "./canary.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Collects and keeps a plugin's credentials, and proves them by a live canary (T16); nothing stays of what fails. */
export async function setupPlugin(kernel: Kernel, id: string, request: SetupRequest): Promise<SetupAnswer> {
  const trialRequest = { live: true, acceptDrift: false };
  const input = { profile: kernel.profile, pluginId: id, setupRequest: request, trialRequest };
  try {
    const { state, record } = await run(kernel, "setup", input);
    await activeRegistry(kernel);
    const { latencyMs, spawnMs } = given(state, "verdict");
    const called = given(state, "trialCall") !== null;
    return {
      ...(await view(kernel, id)),
      stored: given(state, "stored"),
      canary: { latency_ms: called ? Math.round(latencyMs) : null, spawn_ms: Math.round(spawnMs) },
      warnings: record.warnings,
      steps: record.steps,
    };
  } catch (error) {
    if (!(error instanceof GumError) || error.code !== "CANARY_FAILED") throw error;
    throw new GumError(error.code, error.message, {
      ...error.info,
      hint: `the new credentials were not kept; run \`gum plugin setup ${id}\` again with the right ones`,
    });
  }
}

/** What the plugin needs and where it is; nothing is changed and nothing of the plugin runs. */
export async function checkSetup(kernel: Kernel, id: string): Promise<SetupAnswer> {
  return view(kernel, id);
}

/** What the plugin needs done outside gum. */
export async function setupChecklist({ host, profile }: Kernel, id: string): Promise<ChecklistItem[]> {
  return checklistFor(findPlugin(await readRegistry(host, profile), id).plugin);
}

/** Forgets the plugin's kept credentials; one that cannot do without them needs configuration again. */
export async function forgetSetup(kernel: Kernel, id: string): Promise<SetupAnswer> {
  const { host, profile, signal } = kernel;
  const { plugin } = findPlugin(await readRegistry(host, profile), id);
  const forgotten = await forgetCredentials(host, profile, plugin);
  const { missing } = await findCredentials(host, profile, plugin, signal);
  const { generation } = await publish(
    host,
    profile,
    (current) =>
      withState(current, id, (row) =>
        missing.length > 0 && !row.needs_configuration ? withConfiguration(row, true) : row,
      ),
    { command: `plugin setup ${id} --forget`, signal },
  );
  if (forgotten.length > 0) {
    await appendAudit(host, profile, {
      event: "plugin.forget",
      outcome: "ok",
      profile: profile.name,
      plugin: id,
      generation,
      details: { credentials: forgotten },
    });
  }
  return { ...(await view(kernel, id)), forgotten };
}

async function view(kernel: Kernel, id: string): Promise<SetupAnswer> {
  const { host, profile, signal } = kernel;
  const { plugin } = findPlugin(await readRegistry(host, profile), id);
  const { found, missing, faults } = await findCredentials(host, profile, plugin, signal);
  const store = openStore(host, profile);
  const state = await store.state();
  return {
    ok: missing.length === 0,
    plugin: id,
    status: await statusNow(kernel, id),
    store: {
      name: store.name,
      state: state.kind,
      reason: state.kind === "open" ? null : state.reason,
    },
    credentials: credentialNeeds(plugin).map(({ alias, displayName, setupHint, required }) => ({
      alias,
      display_name: withoutVariables(plugin, displayName),
      setup_hint: withoutVariables(plugin, setupHint),
      required,
      found: found.get(alias)?.origin ?? null,
    })),
    checklist: checklistFor(plugin),
    stored: [],
    forgotten: [],
    canary: null,
    warnings: missing.length > 0 ? faults.map((message) => ({ message })) : [],
    steps: [],
  };
}

function checklistFor(plugin: Plugin): ChecklistItem[] {
  return checklistOf(plugin).map(({ alias, kind, display_name, setup_hint }) => ({
    alias,
    kind,
    display_name: withoutVariables(plugin, display_name),
    setup_hint: withoutVariables(plugin, setup_hint),
  }));
}
