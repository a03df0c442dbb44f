import * as v from "valibot";
import type {
  CanariesAnswer,
  CanaryAnswer,
  DiffAnswer,
  ReloadAnswer,
  UnquarantineAnswer,
} from "../../kernel/answers-canary.ts";
import { statuses } from "../../model/registry.ts";
import { Code, Count, StepModel, Text, WarningModel } from "./common.ts";

const Milliseconds = v.nullable(v.number());
const driftClass = v.picklist(["compatible", "widening", "hostile"]);
const Change = v.strictObject({ tool: Text, path: Text, class: driftClass, what: Text });
const StatusModel = v.picklist(statuses);

const canaryFields = {
  plugin: Text,
  ok: v.boolean(),
  live: v.boolean(),
  latency_ms: Milliseconds,
  spawn_ms: Milliseconds,
  status: StatusModel,
  steps: v.array(StepModel),
  warnings: v.array(WarningModel),
  error: v.exactOptional(
    v.strictObject({
      code: Code,
      message: Text,
      hint: Text,
      details: v.nullable(v.record(v.string(), v.unknown())),
    }),
  ),
};

const OneCanary: v.GenericSchema<unknown, CanaryAnswer> = v.strictObject(canaryFields);

const AllCanaries: v.GenericSchema<unknown, CanariesAnswer> = v.strictObject({
  ok: v.boolean(),
  live: v.boolean(),
  canaries: v.array(OneCanary),
});

/** `gum canary --json`: one plugin, or with --all every active one */
export const Canaries: v.GenericSchema<unknown, CanaryAnswer | CanariesAnswer> = v.union([
  OneCanary,
  AllCanaries,
]);

/** `gum plugin reload --json` */
export const Reloaded: v.GenericSchema<unknown, ReloadAnswer> = v.strictObject({
  ok: v.literal(true),
  plugin: Text,
  version: Text,
  status: StatusModel,
  generation: Count,
  live: v.boolean(),
  latency_ms: Milliseconds,
  spawn_ms: v.number(),
  accepted: v.array(Change),
  warnings: v.array(WarningModel),
  steps: v.array(StepModel),
});

/** `gum plugin unquarantine --json` */
export const Unquarantined: v.GenericSchema<unknown, UnquarantineAnswer> = v.strictObject({
  ok: v.literal(true),
  plugin: Text,
  changed: v.boolean(),
  lifted: v.nullable(Text),
  status: StatusModel,
  generation: Count,
});

/** `gum plugin diff --json` */
export const Drift: v.GenericSchema<unknown, DiffAnswer> = v.strictObject({
  plugin: Text,
  version: Text,
  drift: v.boolean(),
  class: v.nullable(driftClass),
  changes: v.array(Change),
  tools: v.strictObject({ pinned: Count, running: Count }),
});
