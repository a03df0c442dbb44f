import * as v from "valibot";
import type { WireAnswer } from "../../kernel/answers-wire.ts";
import { Code, Count, Text } from "./common.ts";

const told = { number: Count, method: Text, ms: v.number() };

/** Each line of `gum wire call`. */
export const WireCalled: v.GenericSchema<unknown, WireAnswer> = v.variant("kind", [
  v.strictObject({
    ...told,
    kind: v.literal("result"),
    result: v.unknown(),
    metadata: v.optional(v.unknown()),
  }),
  v.strictObject({
    ...told,
    kind: v.literal("error"),
    error: v.strictObject({
      code: v.union([v.number(), Text]),
      message: Text,
      data: v.optional(v.unknown()),
    }),
  }),
  v.strictObject({
    ...told,
    kind: v.literal("failure"),
    failure: v.strictObject({
      failure_code: v.nullable(Text),
      error_code: Code,
      message: Text,
      hint: v.optional(Text),
      rpc_code: v.optional(v.number()),
      raw_line: v.optional(Text),
      details: v.record(Text, v.unknown()),
    }),
  }),
]);
