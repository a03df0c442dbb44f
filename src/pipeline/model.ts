// The grammar of a pipeline file as a model, for the published JSON Schema. The loader, which reports positions,
// checks the same grammar by hand; a test holds the two together.
import * as v from "valibot";
import { errorAnswers, longestTimeoutMs } from "./pipeline.ts";

const StepName = v.pipe(v.string(), v.description("The step's name, as `gum pipeline show` lists it."));
const Answer = v.picklist(errorAnswers);

/** `{ code, then }`; a literal key named `then` would look like a promise to the linter and to readers. */
const itemKeys = ["code", "then"] as const;
const OnErrorItem = v.strictObject({ [itemKeys[0]]: v.string(), [itemKeys[1]]: Answer });

const StepModel = v.strictObject({
  step: StepName,
  with: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.description("Parameters of the step."))),
  when: v.optional(v.pipe(v.string(), v.description("A named condition."))),
  on_error: v.optional(v.union([Answer, v.array(OnErrorItem)])),
  always: v.optional(v.pipe(v.boolean(), v.description("Runs also after a failure."))),
  timeout_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(longestTimeoutMs))),
  note: v.optional(v.string()),
});

const head = { pipeline: v.string(), version: v.literal(1), summary: v.string() };

/** A pipeline with its own steps, or the head of another one. */
export const PipelineModel = v.union([
  v.strictObject({ ...head, input: v.record(v.string(), v.string()), steps: v.array(StepModel) }),
  v.strictObject({ ...head, use: v.string(), until: StepName }),
]);
