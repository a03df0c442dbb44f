import * as v from "valibot";
import type { PipelineDifference, PipelineSummary, PipelineView } from "../../kernel/answers.ts";
import { Code, Count, FindingModel, Sha256, Text } from "./common.ts";

const head = { name: Text, summary: Text, sha256: Sha256, edited: v.boolean() };

/** `gum pipeline list --json` */
export const PipelineList: v.GenericSchema<unknown, PipelineSummary[]> = v.array(
  v.strictObject({ ...head, steps: Count }),
);

/** `gum pipeline show --json` */
export const ShownPipeline: v.GenericSchema<unknown, PipelineView> = v.strictObject({
  ...head,
  file: Text,
  steps: v.array(
    v.strictObject({
      number: Count,
      step: Text,
      summary: Text,
      needs: v.array(Text),
      gives: v.array(Text),
      codes: v.array(Code),
      with: v.optional(v.unknown()),
      when: v.optional(Text),
      on_error: v.optional(v.unknown()),
      always: v.boolean(),
      timeout_ms: v.optional(Count),
      note: v.optional(Text),
    }),
  ),
});

/** `gum pipeline lint --json` */
export const Linted = v.strictObject({ ok: v.boolean(), checked: Count, findings: v.array(FindingModel) });

/** `gum pipeline export --json` */
export const Exported = v.strictObject({ ok: v.literal(true), files: v.array(Text) });

/** `gum pipeline diff --json` */
export const Differences: v.GenericSchema<unknown, PipelineDifference[]> = v.array(
  v.strictObject({
    pipeline: Text,
    changes: v.array(
      v.strictObject({ kind: v.picklist(["added", "removed", "moved", "changed"]), step: Text, text: Text }),
    ),
  }),
);
