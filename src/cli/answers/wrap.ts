import * as v from "valibot";
import type { WrapAnswer } from "../../kernel/answers-wrap.ts";
import { RiskClass } from "../../model/risk.ts";
import { Count, Text, WarningModel } from "./common.ts";

/** `gum plugin wrap --json` */
export const Wrapped: v.GenericSchema<unknown, WrapAnswer> = v.strictObject({
  ok: v.literal(true),
  plugin: Text,
  version: Text,
  owner: Text,
  kind: v.picklist(["npm", "python", "file"]),
  folder: Text,
  files: Count,
  bytes: Count,
  network: v.boolean(),
  requests: v.strictObject({ read: v.array(Text), write: v.array(Text), shm: v.boolean() }),
  tools: v.array(v.strictObject({ name: Text, risk_class: RiskClass })),
  left_out: v.array(v.strictObject({ name: Text, reason: Text })),
  started: v.boolean(),
  warnings: v.array(WarningModel),
  install_command: Text,
});
