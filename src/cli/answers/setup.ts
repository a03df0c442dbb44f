import * as v from "valibot";
import { Text } from "./common.ts";

/** `gum setup --json` */
export const SetUp = v.strictObject({
  client: Text,
  /** The client's file; null where the user has to choose one. */
  path: v.nullable(Text),
  written: v.boolean(),
  changed: v.boolean(),
  backup: v.nullable(Text),
  snippet: Text,
  entry: v.record(v.string(), v.unknown()),
});
