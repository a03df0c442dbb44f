import { defineStep } from "../pipeline/step.ts";
import { appendAudit } from "../registry/audit.ts";

/** Writes one row about the run into the profile's audit log, whether it went well or not. */
export const audit = defineStep({
  name: "audit",
  summary: "Write one row about this run into the audit log.",
  needs: ["profile"],
  wants: ["plugin", "pluginId", "resolved", "generation", "canaryReport"],
  gives: [],
  codes: ["REGISTRY_IO", "REGISTRY_LOCKED"],
  always: true,
  async run({ profile, plugin, pluginId, resolved, generation, canaryReport }, { host, run }) {
    const name = plugin?.id ?? resolved?.lock.name ?? pluginId;
    await appendAudit(host, profile, {
      event: `pipeline.${run.pipeline}`,
      outcome: run.error !== undefined ? "failed" : canaryReport?.ok === false ? "quarantined" : "ok",
      profile: profile.name,
      ...(name === undefined ? {} : { plugin: name }),
      ...(run.error === undefined ? {} : { code: run.error.code }),
      pipeline: run.pipeline,
      pipeline_sha256: run.pipelineSha256,
      steps: run.steps.map(({ step, outcome, ms, code }) => ({
        step,
        outcome,
        ms: Math.round(ms * 1000) / 1000,
        ...(code === undefined ? {} : { code }),
      })),
      ...(generation === undefined ? {} : { generation }),
      ...(resolved === undefined
        ? {}
        : { details: { op_id: resolved.variant.op_id, risk_class: resolved.variant.risk_class } }),
    });
    return {};
  },
});
