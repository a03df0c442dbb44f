import { asGumError, GumError, type Warning } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { BoundStep, Pipeline } from "./pipeline.ts";
import type { PipelineState, StateKey } from "./state.ts";
import { inputKeys, type RunRecord, type StepRecord, type StepTools } from "./step.ts";
import { timedSignal, withinTime } from "./time-limit.ts";

export interface RunOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Told as each step ends. */
  readonly onStep?: ((record: StepRecord, index: number) => void) | undefined;
  /** Told at once, so that a run that fails later has still said it. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Told while a step works; often, so whoever shows it chooses when. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The first step that is not run any more; it and those after it are told as `would-run`. */
  readonly stopBefore?: string | undefined;
}

export interface Progress {
  readonly step: string;
  readonly text: string;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
}

export interface RunResult {
  readonly state: Partial<PipelineState>;
  readonly record: RunRecord;
}

/** A run in progress: what the interpreter keeps while it walks the steps. */
interface Run {
  readonly state: Partial<PipelineState>;
  readonly record: { -readonly [K in keyof RunRecord]: RunRecord[K] } & {
    steps: StepRecord[];
    warnings: Warning[];
  };
  readonly cleanup: AsyncDisposableStack;
  rollback: AsyncDisposableStack;
  /** What was thrown, as it was thrown; everything after it runs only if it always runs. */
  failure: { readonly thrown: unknown } | undefined;
  readonly options: RunOptions;
}

/** Runs the steps in order. The first failure runs the undos, newest first, then the `always` steps, and is rethrown. */
export async function runPipeline(
  pipeline: Pipeline,
  input: Partial<PipelineState>,
  options: RunOptions,
): Promise<RunResult> {
  const run: Run = {
    state: { ...input },
    record: { pipeline: pipeline.name, pipelineSha256: pipeline.sha256, steps: [], warnings: [] },
    cleanup: new AsyncDisposableStack(),
    rollback: new AsyncDisposableStack(),
    failure: undefined,
    options,
  };
  let stopped = false;
  try {
    for (const bound of pipeline.steps) {
      stopped ||= bound.name === options.stopBefore;
      if (stopped) tell(run, { step: bound.name, outcome: "would-run", ms: 0 });
      else if (run.failure === undefined) await runFirst(bound, run);
      else if (bound.always) await runAfterFailure(bound, run);
    }
  } finally {
    await dispose(run.cleanup, run);
  }
  if (run.failure !== undefined) throw run.failure.thrown;
  return { state: run.state, record: run.record };
}

/** One step while all is well; its failure becomes the run's, and everything done since the last commit is undone. */
async function runFirst(bound: BoundStep, run: Run): Promise<void> {
  const { signal } = run.options;
  try {
    signal.throwIfAborted();
    await runStep(bound, run);
    if (bound.step.commits) run.rollback = new AsyncDisposableStack(); // what is published is not taken back
  } catch (thrown) {
    run.record.interrupted = signal.aborted;
    run.record.error = signal.aborted ? undefined : asGumError(thrown);
    run.failure = { thrown: signal.aborted ? signal.reason : run.record.error };
    await dispose(run.rollback, run);
    // An interruption that comes right before it must not keep a step from running that always runs.
    if (bound.always && run.record.steps.at(-1)?.step !== bound.name) await runAfterFailure(bound, run);
  }
}

/** An `always` step after a failure must not hide that failure. */
async function runAfterFailure(bound: BoundStep, run: Run): Promise<void> {
  try {
    await runStep(bound, run);
  } catch (error) {
    const message = `Step "${bound.name}" failed after the failure: ${asGumError(error).message}`;
    warn(run, { message });
  }
}

async function runStep(bound: BoundStep, run: Run): Promise<void> {
  const { host } = run.options;
  const { step, name } = bound;
  // The one boundary where types are given up: the loader has proven that these keys are there.
  const input = pick(run.state, inputKeys(step)) as never;
  const start = host.clock.monotonic();
  let note: string | undefined;
  const told = (outcome: StepRecord["outcome"], error?: GumError): void =>
    tell(run, {
      step: name,
      outcome,
      ms: host.clock.monotonic() - start,
      note: note ?? error?.message,
      code: error?.code,
    });

  if (bound.when !== undefined && !bound.when.predicate.test(run.state)) {
    if (step.otherwise !== undefined) take(run, bound, step.otherwise(input));
    return told("skipped");
  }
  try {
    const takeNote = (text: string): void => {
      note = text;
    };
    const tools = { ...toolsOf(run, bound), note: takeNote };
    const given = await withinTime(bound, host, () => step.run(input, tools, bound.args as never));
    take(run, bound, given);
    told("ok");
  } catch (thrown) {
    if (run.options.signal.aborted && run.failure === undefined) {
      note = "interrupted";
      told("failed");
      throw thrown;
    }
    const error = asGumError(thrown);
    const answer = bound.onError(error.code);
    if (answer === "quarantine" && step.quarantine !== undefined) {
      take(run, bound, step.quarantine(error, input));
      return told("quarantined", error);
    }
    if (answer === "warn") {
      warn(run, { message: `${name}: ${error.message}` });
      if (step.otherwise !== undefined) take(run, bound, step.otherwise(input));
      return told("warned", error);
    }
    told("failed", error);
    throw error;
  }
}

function toolsOf(run: Run, bound: BoundStep): Omit<StepTools, "note"> {
  const { host, signal } = run.options;
  return {
    host,
    // After a failure the caller's signal may be aborted, and an `always` step still has work to do.
    signal: run.failure !== undefined ? new AbortController().signal : timedSignal(signal, bound.timeoutMs),
    cleanup: run.cleanup,
    rollback: run.rollback,
    run: run.record,
    progress: (text, done, total) => run.options.onProgress?.({ step: bound.name, text, done, total }),
    warn: (warning) => warn(run, warning),
  };
}

/** Adds exactly the promised keys. */
function take(run: Run, bound: BoundStep, given: Partial<PipelineState>): void {
  const keys: readonly StateKey[] = bound.step.gives;
  const lost = keys.find((key) => !(key in given));
  if (lost !== undefined) throw new GumError("INTERNAL_ERROR", `Step "${bound.name}" did not give "${lost}"`);
  Object.assign(run.state, pick(given, keys));
}

function pick(state: Partial<PipelineState>, keys: readonly StateKey[]): Partial<PipelineState> {
  const picked: Partial<Record<StateKey, unknown>> = {};
  for (const key of keys) if (key in state) picked[key] = state[key];
  return picked as Partial<PipelineState>;
}

function tell(run: Run, record: StepRecord): void {
  run.record.steps.push(record);
  run.options.onStep?.(record, run.record.steps.length - 1);
}

function warn(run: Run, warning: Warning): void {
  run.record.warnings.push(warning);
  run.options.onWarning?.(warning);
}

/** Undo and clean-up never hide the error that led to them; what goes wrong in them is a warning. */
async function dispose(stack: AsyncDisposableStack, run: Run): Promise<void> {
  try {
    await stack.disposeAsync();
  } catch (error) {
    warn(run, { message: `Cleaning up failed: ${asGumError(error).message}` });
  }
}
