import { createHost } from "../../host/real.ts";
import type { BoundStep, Pipeline } from "../../pipeline/pipeline.ts";
import { runPipeline } from "../../pipeline/run.ts";
import type { AnyStep } from "../../pipeline/step.ts";
import { type BenchRow, sideBySide } from "./row.ts";

const stepCount = 20;
const repeats = 500;

/** What the interpreter adds to each step, beside the same functions called one after the other. */
export const interpreter: BenchRow = {
  id: "B11",
  what: `interpreter, ${stepCount} steps`,
  against: "calling the same steps by hand",
  async measure() {
    const host = createHost();
    const { signal } = new AbortController();
    const both = await sideBySide(
      40,
      async () => {
        for (let i = 0; i < repeats; i++) await runPipeline(pipeline, {}, { host, signal });
      },
      async () => {
        for (let i = 0; i < repeats; i++)
          for (const { step } of pipeline.steps) await step.run({} as never, {} as never, {} as never);
      },
    );
    const perStep = ((both.own.median - both.other.median) * 1000) / (repeats * stepCount);
    return { ...both, figure: perStep, limit: 50, unit: "µs per step" };
  },
};

const place = { file: "bench.yaml", line: 1, column: 1 };

const step: AnyStep = {
  name: "nothing",
  summary: "Does nothing.",
  needs: [],
  gives: [],
  codes: [],
  run: async () => ({}),
};

const pipeline: Pipeline = {
  name: "bench",
  version: 1,
  summary: "Steps that do nothing.",
  file: place.file,
  sha256: "",
  edited: false,
  source: {},
  steps: Array.from(
    { length: stepCount },
    (_, index): BoundStep => ({
      name: `nothing-${index}`,
      step,
      args: undefined,
      always: false,
      at: place,
      onError: () => "fail",
    }),
  ),
};
