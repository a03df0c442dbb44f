import { loadPipeline, type Rules } from "../pipeline/load.ts";
import { type RunOptions, type RunResult, runPipeline } from "../pipeline/run.ts";
import type { PipelineState } from "../pipeline/state.ts";
import { contracts, type PipelineName } from "../steps/contracts.ts";
import { predicates } from "../steps/predicates.ts";
import { steps } from "../steps/table.ts";
import type { Kernel } from "./kernel.ts";
import { readPipelineTexts } from "./pipeline-texts.ts";

/** What every pipeline file is checked against. */
export const rules: Rules = { steps, predicates, contracts };

type Input<P extends PipelineName> = Pick<
  PipelineState,
  keyof (typeof contracts)[P]["input"] & keyof PipelineState
>;
type Output<P extends PipelineName> = Pick<PipelineState, (typeof contracts)[P]["gives"][number]>;

/** Loads, proves and runs one pipeline; what it promises to give is there when it returns. */
export async function run<P extends PipelineName>(
  kernel: Kernel,
  name: P,
  input: Input<P>,
  options: Pick<RunOptions, "stopBefore" | "onWarning"> = {},
): Promise<{
  readonly state: Partial<PipelineState> & Partial<Output<P>>;
  readonly record: RunResult["record"];
}> {
  const texts = await readPipelineTexts(kernel.host.files, kernel.pipelinesDir);
  const pipeline = loadPipeline(name, texts, rules);
  return runPipeline(pipeline, input, {
    host: kernel.host,
    signal: kernel.signal,
    onStep: kernel.onStep,
    ...options,
  });
}

/** A key that the pipeline has proven to give. */
export function given<K extends keyof PipelineState>(
  state: Partial<PipelineState>,
  key: K,
): PipelineState[K] {
  const value = state[key];
  if (value === undefined) throw new Error(`The pipeline did not give "${key}"`);
  return value;
}
