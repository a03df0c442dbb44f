import * as v from "valibot";
import { type ErrorCode, errorCodes } from "../../base/error-codes.ts";

export const Text = v.string();
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** A code of the one table. */
export const Code = v.picklist(Object.keys(errorCodes).filter(isErrorCode));

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCodes, text);
}

export const PlaceModel = v.strictObject({
  file: Text,
  line: v.optional(Count),
  column: v.optional(Count),
  text: v.optional(Text),
});

const told = {
  message: Text,
  path: v.optional(Text),
  at: v.optional(PlaceModel),
  hint: v.optional(Text),
};
export const FindingModel = v.strictObject({ code: Code, ...told });
export const WarningModel = v.strictObject(told);

export const StepModel = v.strictObject({
  step: Text,
  outcome: v.picklist(["ok", "failed", "skipped", "warned", "quarantined", "would-run"]),
  ms: v.number(),
  note: v.optional(Text),
  code: v.optional(Code),
});
