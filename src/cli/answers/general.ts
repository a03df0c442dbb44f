import * as v from "valibot";
import type { FailureEnvelope } from "../../model/envelope.ts";
import type { StopAnswer } from "../stops.ts";
import { Code, Count, StepModel, Text } from "./common.ts";

/** Every failure with --json. */
export const Failure: v.GenericSchema<unknown, FailureEnvelope> = v.strictObject({
  success: v.literal(false),
  error_code: Code,
  error: Text,
  retryable: v.boolean(),
  retry_after_ms: v.optional(v.number()),
  source_error_code: v.optional(v.nullable(Text)),
  failure_code: v.optional(Text),
  plugin: v.nullable(Text),
  op_id: v.nullable(Text),
  hint: v.optional(Text),
  details: v.optional(v.record(v.string(), v.unknown())),
});

/** Any command with --json that a signal has stopped. */
export const Interrupted: v.GenericSchema<unknown, StopAnswer> = v.strictObject({
  success: v.literal(false),
  interrupted: v.literal(true),
  signal: v.picklist(["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"]),
  error: Text,
});

/** `gum version --json` */
export const Version = v.strictObject({
  name: Text,
  version: Text,
  runtime: Text,
  protocols: v.strictObject({ mcp: v.array(Text), jsonl: v.array(Count), handshake: v.array(Text) }),
});

/** `gum help --json` and `gum help <topic> --json` */
export const Help = v.union([
  v.strictObject({ topics: v.array(Text), text: Text }),
  v.strictObject({ topic: Text, text: Text }),
]);

/** `gum schema list --json` */
export const SchemaList = v.array(Text);

/** `gum completion <shell> --json` */
export const Completion = v.strictObject({ shell: v.picklist(["bash", "zsh", "fish"]), script: Text });

/** One line of --trace=json. */
export const TraceLine = v.strictObject({ number: Count, ...StepModel.entries });
