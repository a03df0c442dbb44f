import * as v from "valibot";
import type { OpDescription } from "../../kernel/describe.ts";
import type { SearchHit } from "../../kernel/search-index.ts";
import { RiskClass } from "../../model/risk.ts";
import { Text } from "./common.ts";

/** `gum search --json` */
export const SearchHits: v.GenericSchema<unknown, SearchHit[]> = v.array(
  v.strictObject({
    op_id: Text,
    variant_id: Text,
    plugin: Text,
    title: Text,
    description: Text,
    risk_class: RiskClass,
    score: v.number(),
  }),
);

/** `gum describe --skeleton --json`: the arguments themselves, as `gum plugin run` takes them. */
export const Skeleton = v.record(v.string(), v.unknown());

/** `gum describe --json` */
export const Described: v.GenericSchema<unknown, OpDescription> = v.strictObject({
  op_id: Text,
  variant_id: Text,
  plugin: Text,
  version: Text,
  status: Text,
  title: Text,
  description: Text,
  risk_class: RiskClass,
  confirmation_policy: Text,
  auth_strategy: Text,
  output_profile: v.nullable(Text),
  request_ref: v.nullable(Text),
  response_ref: v.nullable(Text),
  request_schema: v.unknown(),
  response_schema: v.unknown(),
  skeleton: v.unknown(),
});
