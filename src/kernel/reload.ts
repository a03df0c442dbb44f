import type { StepRecord } from "../pipeline/step.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import { findCredentials } from "../steps/plugin-credentials.ts";
import type { ReloadAnswer } from "./answers-canary.ts";
import { statusNow } from "./canary.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Proves and tries an installed plugin once more; success lifts its quarantine, failure quarantines it again (C10). */
export async function reloadPlugin(
  kernel: Kernel,
  id: string,
  { acceptDrift }: { readonly acceptDrift: boolean },
): Promise<ReloadAnswer> {
  const { host, profile } = kernel;
  const { plugin } = findPlugin(await readRegistry(host, profile), id);
  // Without its credentials a plugin can answer the handshake alone (C6).
  const live = (await findCredentials(host, profile, plugin, kernel.signal)).missing.length === 0;
  const { state, record } = await run(kernel, "reload", {
    profile,
    pluginId: id,
    depth: "deep",
    trialRequest: { live, acceptDrift },
  });
  const { spawnMs, latencyMs } = given(state, "verdict");
  const steps: readonly StepRecord[] = record.steps;
  return {
    ok: true,
    plugin: id,
    version: given(state, "installed").version,
    status: await statusNow(kernel, id),
    generation: given(state, "generation"),
    live,
    latency_ms: given(state, "trialCall") === null ? null : Math.round(latencyMs),
    spawn_ms: Math.round(spawnMs),
    accepted: given(state, "pinOutcome").changes,
    warnings: record.warnings,
    steps,
  };
}
