import * as v from "valibot";
import type { GrantsAnswer } from "../../kernel/answers-grants.ts";
import { Grants } from "../../model/registry.ts";
import { Count, Text } from "./common.ts";

/** `gum plugin grant --json` and `gum plugin revoke --json` */
export const GrantsChanged: v.GenericSchema<unknown, GrantsAnswer> = v.strictObject({
  ok: v.literal(true),
  plugin: Text,
  changed: v.boolean(),
  granted: Grants,
  generation: Count,
});
