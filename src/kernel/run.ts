import { loadPipeline, type Rules } from "../pipeline/load.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { type RunOptions, type RunResult, runPipeline } from "../pipeline/run.ts";
import type { PipelineState } from "../pipeline/state.ts";
import { contracts, type PipelineName } from "../steps/contracts.ts";
import { dispatchSteps } from "../steps/dispatch-table.ts";
import { predicates } from "../steps/predicates.ts";
import type { Kernel } from "./kernel.ts";
import { readPipelineTexts } from "./pipeline-texts.ts";

/** What the shipped dispatch pipeline is checked against: a call should not pay for loading the steps of an install. */
const callRules: Rules = {
  steps: Object.fromEntries(dispatchSteps.map((step) => [step.name, step])),
  predicates,
  contracts,
};

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
  const pipeline = await (kernel.loaded?.(name) ?? load(kernel, name));
  return runPipeline(pipeline, input, {
    host: kernel.host,
    signal: kernel.signal,
    onStep: kernel.onStep,
    onProgress: kernel.onProgress,
    ...options,
  });
}

/** Loads each pipeline once for a process that runs them many times; what it has loaded, it keeps. */
export function loadOnce(kernel: Kernel): NonNullable<Kernel["loaded"]> {
  const known = new Map<string, Promise<Pipeline>>();
  return (name) => {
    const pipeline = known.get(name) ?? load(kernel, name);
    known.set(name, pipeline);
    return pipeline;
  };
}

async function load(kernel: Kernel, name: string): Promise<Pipeline> {
  const texts = await readPipelineTexts(kernel.host.files, kernel.pipelinesDir);
  const isPlainCall = name === "dispatch" && kernel.pipelinesDir === undefined;
  return loadPipeline(name, texts, isPlainCall ? callRules : (await import("./rules.ts")).rules);
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
