import type { Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";
import type { LockRow } from "../model/registry.ts";
import { defineStep } from "../pipeline/step.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { readSchema } from "../registry/schema-store.ts";
import { judgeTrial } from "./trial.ts";

/** Compares the trial's answer with what the manifest expects of it. */
export const judge = defineStep({
  name: "judge",
  summary: "Compare the trial's answer with what the manifest expects.",
  needs: ["installed", "profile", "trial", "trialCall", "trialRequest"],
  gives: ["verdict"],
  codes: ["CANARY_FAILED", "REGISTRY_IO"],
  async run({ installed, profile, trial, trialCall, trialRequest }, tools) {
    const { plugin } = installed;
    const schema = trialCall === null ? undefined : await storedResponse(tools.host, profile, installed);
    await judgeTrial(tools, plugin, trialCall, schema);
    return {
      verdict: {
        whole: trialRequest.live || plugin.canary === null,
        spawnMs: trial.spawnMs,
        latencyMs: trialCall?.latencyMs ?? 0,
      },
    };
  },
});

/** The response schema of the tool that the trial calls, where there is one. */
async function storedResponse(host: Host, profile: Profile, { name, plugin }: LockRow): Promise<unknown> {
  const { catalog } = await readRegistry(host, profile);
  const variant = catalog.variants.find(
    (row) => row.owner_plugin === name && row.binding.tool_name === plugin.canary?.tool,
  );
  const ref = variant?.binding.response_ref ?? null;
  const digest = ref === null ? undefined : variant?.schema_hashes[ref];
  return ref === null || digest === undefined ? undefined : readSchema(host, profile, ref, digest);
}
