import * as v from "valibot";
import type { SetupAnswer } from "../../kernel/answers-setup.ts";
import { statuses } from "../../model/registry.ts";
import { StepModel, Text, WarningModel } from "./common.ts";

/** `gum plugin setup --json`, also with --check and --forget */
export const CredentialsSetUp: v.GenericSchema<unknown, SetupAnswer> = v.strictObject({
  ok: v.boolean(),
  plugin: Text,
  status: v.picklist(statuses),
  store: v.strictObject({
    name: v.picklist(["keychain", "file", "environment"]),
    state: v.picklist(["open", "locked", "unavailable"]),
    reason: v.nullable(Text),
  }),
  credentials: v.array(
    v.strictObject({
      alias: Text,
      display_name: Text,
      setup_hint: Text,
      required: v.boolean(),
      found: v.nullable(v.picklist(["keychain", "file", "environment", "command"])),
    }),
  ),
  checklist: v.array(v.strictObject({ alias: Text, kind: Text, display_name: Text, setup_hint: Text })),
  stored: v.array(Text),
  forgotten: v.array(Text),
  canary: v.nullable(v.strictObject({ latency_ms: v.nullable(v.number()), spawn_ms: v.number() })),
  warnings: v.array(WarningModel),
  steps: v.array(StepModel),
});
