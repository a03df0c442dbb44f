import * as v from "valibot";
import type { Place } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Rules } from "./load.ts";
import { type BoundStep, type ErrorAnswer, errorAnswers, longestTimeoutMs } from "./pipeline.ts";
import type { Located, StepEntry } from "./read.ts";
import type { AnyStep } from "./step.ts";

type Fault = (at: Place, message: string) => void;

/** Fits one entry to its step; undefined, with every fault told, when it does not fit. */
export function bindStep(entry: StepEntry, rules: Rules, fault: Fault): BoundStep | undefined {
  const name = entry.step.value;
  const step = Object.hasOwn(rules.steps, name) ? rules.steps[name] : undefined;
  if (step === undefined) {
    fault(entry.step.at, `Unknown step "${name}"${didYouMean(name, Object.keys(rules.steps))}`);
    return undefined;
  }
  const { keys } = entry;
  return {
    name,
    step,
    at: entry.step.at,
    args: readArgs(name, step, keys.with, entry.step.at, fault),
    when: readWhen(name, step, keys.when, rules, fault),
    always: readAlways(name, step, keys.always, entry.step.at, fault),
    timeoutMs: readTimeout(name, keys.timeout_ms, fault),
    note: readNote(keys.note, fault),
    answers: keys.on_error?.value,
    onError: readOnError(name, step, keys.on_error, fault),
  };
}

function readArgs(
  name: string,
  step: AnyStep,
  given: Located<unknown> | undefined,
  at: Place,
  fault: Fault,
): unknown {
  if (step.args === undefined) {
    if (given !== undefined) fault(given.at, `Step "${name}" takes no "with"`);
    return undefined;
  }
  const parsed = v.safeParse(step.args, given?.value ?? {});
  if (parsed.success) return parsed.output;
  for (const issue of parsed.issues) {
    const path = v.getDotPath(issue);
    const place = given?.inside?.[path ?? unknownKey(issue) ?? ""] ?? given?.at ?? at;
    fault(place, `Step "${name}": ${argsFault(step, issue, path)}`);
  }
  return undefined;
}

type Issue = v.BaseIssue<unknown>;

/** valibot speaks of `never` where a key is not known. */
function argsFault(step: AnyStep, issue: Issue, path: string | null): string {
  const key = unknownKey(issue);
  if (key !== undefined) {
    const known =
      step.args !== undefined && "entries" in step.args ? Object.keys(Object(step.args.entries)) : [];
    return `"with" has no "${key}"${didYouMean(key, known)}`;
  }
  return `${path === null ? "" : `"with.${path}": `}${issue.message}`;
}

function unknownKey(issue: Issue): string | undefined {
  return issue.expected === "never" ? String(issue.path?.[0]?.key ?? "") : undefined;
}

function readWhen(
  name: string,
  step: AnyStep,
  given: Located<unknown> | undefined,
  rules: Rules,
  fault: Fault,
) {
  if (given === undefined) return undefined;
  const said = String(given.value);
  const predicate = Object.hasOwn(rules.predicates, said) ? rules.predicates[said] : undefined;
  if (predicate === undefined) {
    fault(
      given.at,
      `Unknown predicate "${said}" in "when"${didYouMean(said, Object.keys(rules.predicates))}`,
    );
    return undefined;
  }
  if (step.gives.length > 0 && step.otherwise === undefined) {
    fault(
      given.at,
      `Step "${name}" cannot be skipped by "when": later steps rely on "${step.gives.join('", "')}"`,
    );
  }
  if (step.skippableBy !== undefined && !step.skippableBy.includes(said)) {
    fault(given.at, `Step "${name}" can only be skipped by "${step.skippableBy.join('", "')}"`);
  }
  return { name: said, predicate };
}

function readAlways(
  name: string,
  step: AnyStep,
  given: Located<unknown> | undefined,
  at: Place,
  fault: Fault,
): boolean {
  if (given !== undefined && typeof given.value !== "boolean")
    fault(given.at, '"always" must be true or false');
  const always = given?.value === true;
  if (always && step.always === undefined) fault(given.at, `Step "${name}" cannot run after a failure`);
  if (!always && step.always)
    fault(given?.at ?? at, `Step "${name}" must also run after a failure: add "always: true"`);
  return always;
}

function readTimeout(name: string, given: Located<unknown> | undefined, fault: Fault): number | undefined {
  if (given === undefined) return undefined;
  const ms = given.value;
  if (typeof ms === "number" && Number.isInteger(ms) && ms >= 1 && ms <= longestTimeoutMs) return ms;
  fault(given.at, `"timeout_ms" of step "${name}" must be an integer from 1 to ${longestTimeoutMs}`);
  return undefined;
}

function readNote(given: Located<unknown> | undefined, fault: Fault): string | undefined {
  if (given === undefined || typeof given.value === "string") return given?.value as string | undefined;
  fault(given.at, '"note" must be text');
  return undefined;
}

/** `fail`, `quarantine`, `warn`, or a list of `{ code, then }`; a code that is not listed fails. */
function readOnError(
  name: string,
  step: AnyStep,
  given: Located<unknown> | undefined,
  fault: Fault,
): BoundStep["onError"] {
  if (given === undefined) return () => "fail";
  if (!Array.isArray(given.value)) {
    const answer = readAnswer(name, step, given.value, given.at, fault);
    return () => answer;
  }
  const answers = new Map<string, ErrorAnswer>();
  for (const [index, item] of (given.value as unknown[]).entries()) {
    const at = given.inside?.[index] ?? given.at;
    const parsed = v.safeParse(OnErrorItem, item);
    if (!parsed.success) {
      fault(at, 'An "on_error" item must be { code, then }');
      continue;
    }
    const [code, answer] = parsed.output;
    if (!step.codes.some((known) => known === code)) {
      fault(at, `Step "${name}" never raises "${code}"${didYouMean(code, step.codes)}`);
    }
    if (answers.has(code)) fault(at, `The code "${code}" stands twice in "on_error"`);
    answers.set(code, readAnswer(name, step, answer, at, fault));
  }
  return (code) => answers.get(code) ?? "fail";
}

function readAnswer(name: string, step: AnyStep, said: unknown, at: Place, fault: Fault): ErrorAnswer {
  const answer = errorAnswers.find((known) => known === said);
  if (answer === undefined) {
    fault(at, `Unknown answer "${String(said)}" in "on_error"${didYouMean(String(said), errorAnswers)}`);
  }
  if (answer === "quarantine" && step.quarantine === undefined) {
    fault(at, `A failure of step "${name}" cannot be answered by quarantine`);
  }
  if (answer === "warn" && step.gives.length > 0 && step.otherwise === undefined) {
    fault(
      at,
      `A failure of step "${name}" cannot be a warning: later steps rely on "${step.gives.join('", "')}"`,
    );
  }
  return answer ?? "fail";
}

/** `{ code, then }` as a pair. */
const OnErrorItem = v.pipe(
  v.record(v.picklist(["code", "then"]), v.string()),
  v.transform((item) => [item.code ?? "", item.then ?? ""] as const),
);
