import * as v from "valibot";
import type { PluginLogAnswer } from "../../kernel/plugin-logs.ts";
import { Text } from "./common.ts";

/** `gum plugin prompt --json`: the filled-in prompt as the plugin gave it, or what it lists. */
export const Prompted = v.union([
  v.looseObject({ messages: v.array(v.looseObject({})) }),
  v.strictObject({ prompts: v.array(v.unknown()) }),
]);

/** `gum plugin resource --json`: the contents as the plugin gave them, or what it lists. */
export const ResourceRead = v.union([
  v.looseObject({ contents: v.array(v.looseObject({ uri: Text })) }),
  v.strictObject({ resources: v.array(v.unknown()), templates: v.array(v.unknown()) }),
]);

/** `gum plugin logs --json` */
export const PluginLogs: v.GenericSchema<unknown, PluginLogAnswer> = v.strictObject({
  plugin: Text,
  at: v.nullable(Text),
  lines: v.array(Text),
});
