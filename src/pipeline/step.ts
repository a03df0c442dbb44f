import type * as v from "valibot";
import type { ErrorCode } from "../base/error-codes.ts";
import type { GumError, Warning } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { PipelineState, StateKey } from "./state.ts";

/** What the interpreter lends to every step. */
export interface StepTools {
  readonly host: Host;
  /** Aborted by Ctrl-C, by a signal, and when the step's time is over. */
  readonly signal: AbortSignal;
  /** Closed when the pipeline ends, newest first. */
  readonly cleanup: AsyncDisposableStack;
  /** Undo actions: closed only when the pipeline fails, newest first, before `cleanup`. */
  readonly rollback: AsyncDisposableStack;
  /** The run so far: which pipeline it is and how its steps ended. */
  readonly run: RunRecord;
  /** One line about what this step found or did, shown by --trace. */
  note(text: string): void;
  /** How far slow work has come, for a person who waits; `done` of `total` when they are known. */
  progress(text: string, done?: number, total?: number): void;
  /** Something the user should know that is no error. */
  warn(warning: Warning): void;
}

export type StepOutcome = "ok" | "failed" | "skipped" | "warned" | "quarantined" | "would-run";

export interface StepRecord {
  readonly step: string;
  readonly outcome: StepOutcome;
  readonly ms: number;
  readonly note?: string | undefined;
  readonly code?: ErrorCode | undefined;
}

/** What a run leaves for the audit log. */
export interface RunRecord {
  readonly pipeline: string;
  readonly pipelineSha256: string;
  readonly steps: readonly StepRecord[];
  readonly warnings: readonly Warning[];
  /** Set as soon as a step has failed by itself. */
  readonly error?: GumError | undefined;
  /** Set when the user or the system stopped the run. */
  readonly interrupted?: boolean | undefined;
}

/**
 * One unit of a pipeline: it reads only what it needs, adds only what it gives, and touches the world only
 * through its tools. A gate gives a proof that later steps need, so that it can be neither dropped nor moved.
 */
export interface Step<N extends StateKey, G extends StateKey, W extends StateKey, A> {
  readonly name: string;
  readonly summary: string;
  readonly needs: readonly N[];
  readonly gives: readonly G[];
  /** Keys it uses when they are there: for steps that also run after a failure. */
  readonly wants?: readonly W[];
  readonly codes: readonly ErrorCode[];
  /** The typed parameters that `with` may set. */
  readonly args?: v.GenericSchema<unknown, A>;
  /** May be added to a pipeline or left out again. Every other shipped step must stay. */
  readonly optional?: true;
  /** Makes what was done so far final: nothing that fails later undoes it. */
  readonly commits?: true;
  /** Must also run after a failure: the file has to say `always: true`. */
  readonly always?: true;
  /** The only predicates that its `when` may name; without this, any that the table has. */
  readonly skippableBy?: readonly string[];
  run(input: StepInput<N, W>, tools: StepTools, args: A): Given<G> | Promise<Given<G>>;
  /** What it gives when a `when` predicate skips it; without this, a step that gives something takes no `when`. */
  otherwise?(input: StepInput<N, W>): Given<G>;
  /** What it gives when its error is answered by `quarantine`; without this, it takes no `quarantine`. */
  quarantine?(error: GumError, input: StepInput<N, W>): Given<G>;
}

export type StepInput<N extends StateKey, W extends StateKey> = Pick<PipelineState, N> &
  Partial<Pick<PipelineState, W>>;
export type Given<G extends StateKey> = Pick<PipelineState, G>;

/** A step whose literal types are forgotten: any step fits, and only the interpreter, which picks the keys, may call it. */
export interface AnyStep {
  readonly name: string;
  readonly summary: string;
  readonly needs: readonly StateKey[];
  readonly gives: readonly StateKey[];
  readonly wants?: readonly StateKey[];
  readonly codes: readonly ErrorCode[];
  readonly args?: v.GenericSchema;
  readonly optional?: true;
  readonly always?: true;
  readonly commits?: true;
  readonly skippableBy?: readonly string[];
  run(input: never, tools: StepTools, args: never): Partial<PipelineState> | Promise<Partial<PipelineState>>;
  otherwise?(input: never): Partial<PipelineState>;
  quarantine?(error: GumError, input: never): Partial<PipelineState>;
}
export type StepTable = Readonly<Record<string, AnyStep>>;

/** Keeps `needs`, `gives` and `wants` as literal types, so that `run` is checked against them. */
export function defineStep<
  const N extends StateKey,
  const G extends StateKey,
  const W extends StateKey = never,
  A = undefined,
>(step: Step<N, G, W, A>): Step<N, G, W, A> {
  return step;
}

/** A named condition that `when` may use. */
export interface Predicate {
  readonly summary: string;
  readonly needs: readonly StateKey[];
  test(state: Partial<PipelineState>): boolean;
}
export type PredicateTable = Readonly<Record<string, Predicate>>;

const knownKeys = new WeakMap<AnyStep, readonly StateKey[]>();

/** The keys that a step may see; remembered, since a server runs the same steps for every call. */
export function inputKeys(step: AnyStep): readonly StateKey[] {
  const keys = knownKeys.get(step) ?? [...step.needs, ...(step.wants ?? [])];
  knownKeys.set(step, keys);
  return keys;
}
