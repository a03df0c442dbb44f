import * as v from "valibot";
import { defineStep } from "../pipeline/step.ts";
import { asCanaryFailure, toolCount, trialTimeoutMs } from "./trial.ts";

/** Starts the plugin in its sandbox and asks for its tools; it ends with the pipeline at the latest. */
export const openTrial = defineStep({
  name: "open-trial",
  summary: "Start the plugin in its sandbox and list its tools.",
  needs: ["installed", "trialStart", "trialProgram"],
  gives: ["trial"],
  codes: ["CANARY_FAILED", "PLUGIN_SANDBOX_UNSUPPORTED", "PLUGIN_SHAPE_UNSUPPORTED", "PLUGIN_TOOLS_DRIFT"],
  args: v.strictObject({
    timeout_ms: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(600_000)),
      trialTimeoutMs,
    ),
  }),
  async run({ installed, trialStart, trialProgram }, { host, signal, cleanup, note }, { timeout_ms }) {
    const start = host.clock.monotonic();
    const session = await asCanaryFailure(installed.name, signal, () =>
      trialStart.start({ verified: trialProgram, signal, connectTimeoutMs: timeout_ms }),
    );
    cleanup.defer(() => session.close());
    const description = await asCanaryFailure(installed.name, signal, () => session.describe());
    const spawnMs = host.clock.monotonic() - start;
    note(`${toolCount(description.tools)}, started in ${Math.round(spawnMs)} ms`);
    return { trial: { session, description, spawnMs } };
  },
});
