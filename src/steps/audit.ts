import type { AuditEvent } from "../model/audit.ts";
import type { PipelineState } from "../pipeline/state.ts";
import { defineStep, type RunRecord } from "../pipeline/step.ts";
import { appendAudit } from "../registry/audit.ts";

/** Writes one row about the run into the profile's audit log, whether it went well or not. */
export const audit = defineStep({
  name: "audit",
  summary: "Write one row about this run into the audit log.",
  needs: ["profile"],
  wants: [
    "plugin",
    "pluginId",
    "resolved",
    "question",
    "runtime",
    "generation",
    "canaryReport",
    "stored",
    "purged",
  ],
  gives: [],
  codes: ["REGISTRY_IO", "REGISTRY_LOCKED"],
  always: true,
  async run(input, { host, run }) {
    const { profile, plugin, pluginId, resolved, runtime, generation, canaryReport } = input;
    const name = plugin?.id ?? resolved?.lock.name ?? pluginId;
    const row: AuditEvent = {
      event: `pipeline.${run.pipeline}`,
      outcome: outcomeOf(run, canaryReport?.ok === false),
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
      // What a failed run had kept is not kept any more.
      ...detailsOf(run.error === undefined ? input : { ...input, stored: undefined }),
    };
    await (runtime?.audit === undefined ? appendAudit(host, profile, row) : runtime.audit.append(row));
    return {};
  },
});

function outcomeOf({ interrupted, error }: RunRecord, quarantined: boolean): AuditEvent["outcome"] {
  if (interrupted) return "interrupted";
  if (error !== undefined) return "failed";
  return quarantined ? "quarantined" : "ok";
}

/** What was called or asked for; arguments are never written down. */
function detailsOf(
  input: { readonly [K in "resolved" | "question" | "stored" | "purged"]?: PipelineState[K] | undefined },
): Pick<AuditEvent, "details"> {
  const { resolved, question, stored, purged } = input;
  if (stored !== undefined) return { details: { stored: [...stored] } };
  if (purged !== undefined) return { details: { forgotten: [...purged.credentials], data: purged.data } };
  if (question !== undefined) return { details: { asked: question.asks.method } };
  if (resolved === undefined) return {};
  return { details: { op_id: resolved.variant.op_id, risk_class: resolved.variant.risk_class } };
}
