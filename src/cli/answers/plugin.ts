import * as v from "valibot";
import type { InstallAnswer, PluginSummary, RemoveAnswer, ValidateAnswer } from "../../kernel/answers.ts";
import { statuses } from "../../model/registry.ts";
import { Code, Count, FindingModel, StepModel, Text, WarningModel } from "./common.ts";

/** `gum plugin install --json` */
export const Installed: v.GenericSchema<unknown, InstallAnswer> = v.strictObject({
  ok: v.boolean(),
  plugin: Text,
  version: Text,
  status: v.picklist([...statuses, "not_installed"]),
  dry_run: v.boolean(),
  generation: v.nullable(Count),
  install_root: v.nullable(Text),
  quarantine: v.nullable(v.strictObject({ code: Text, reason: Text })),
  warnings: v.array(WarningModel),
  steps: v.array(StepModel),
});

/** `gum plugin validate --json` */
export const Validated: v.GenericSchema<unknown, ValidateAnswer> = v.strictObject({
  ok: v.boolean(),
  error_code: v.nullable(Code),
  file: v.nullable(Text),
  plugin: v.nullable(v.strictObject({ id: Text, version: Text, shape: Text })),
  findings: v.array(FindingModel),
  warnings: v.array(WarningModel),
});

/** `gum plugin list --json` */
export const PluginList: v.GenericSchema<unknown, PluginSummary[]> = v.array(
  v.strictObject({ id: Text, version: Text, name: Text, status: v.picklist(statuses) }),
);

/** `gum plugin info --json`: the lock row with its state and variants; fields are only ever added. */
export const PluginInfo = v.looseObject({
  id: Text,
  status: v.picklist(statuses),
  version: Text,
  install_pipeline_sha256: Text,
  /** Whether that is the pipeline that this gum ships. */
  install_pipeline_shipped: v.boolean(),
  state: v.nullable(v.looseObject({ name: Text })),
  variants: v.array(v.looseObject({ op_id: Text, variant_id: Text })),
});

/** `gum plugin remove --json` */
export const Removed: v.GenericSchema<unknown, RemoveAnswer> = v.strictObject({
  ok: v.literal(true),
  plugin: Text,
  generation: Count,
  purged: v.nullable(v.strictObject({ credentials: v.array(Text), data: v.boolean() })),
});

/** `gum plugin run --meta`, and the same of `gum call`, `gum read`, `gum write` and `gum destructive` */
export const Called = v.looseObject({
  success: v.literal(true),
  data: v.unknown(),
  _meta: v.optional(
    v.looseObject({
      op_id: Text,
      variant_id: Text,
      plugin: Text,
      version: Text,
      duration_ms: v.number(),
    }),
  ),
});
