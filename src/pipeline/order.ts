import type { Place } from "../base/errors.ts";
import type { Rules } from "./load.ts";
import type { BoundStep, Contract } from "./pipeline.ts";
import type { StateKey } from "./state.ts";

/** What the order of one pipeline is checked against. */
export interface OrderQuestion {
  readonly name: string;
  readonly steps: readonly BoundStep[];
  readonly contract: Contract;
  /** Names of the shipped steps. */
  readonly required: readonly string[];
  readonly rules: Rules;
  readonly start: Place;
  /** False for a shared head, which ends before the keys that the whole pipeline gives. */
  readonly wholePipeline: boolean;
  fault(at: Place, message: string): void;
}

/** Proves by set logic that each step finds what it needs, and that nothing which must stay was dropped. */
export function checkOrder(question: OrderQuestion): void {
  checkKeys(question);
  checkPresence(question);
  checkPairs(question);
  checkLast(question);
}

function checkKeys({ steps, contract, rules, start, wholePipeline, fault }: OrderQuestion): void {
  const inputs = Object.keys(contract.input) as StateKey[];
  const have = new Set<StateKey>(inputs);
  const seen = new Set<string>();
  for (const { name, step, at, when, always } of steps) {
    if (seen.has(name)) fault(at, `Step "${name}" stands twice`);
    seen.add(name);
    for (const key of [...step.needs, ...(when?.predicate.needs ?? [])]) {
      if (!have.has(key))
        fault(at, `Step "${name}" needs "${key}", which no earlier step gives${givers(key, name, rules)}`);
      else if (always && !inputs.includes(key))
        fault(at, `Step "${name}" always runs, so it cannot need "${key}", which a failed run may lack`);
    }
    for (const key of step.gives) {
      if (have.has(key)) fault(at, `Step "${name}" gives "${key}", which is already there`);
      have.add(key);
    }
  }
  if (!wholePipeline) return;
  for (const key of contract.gives)
    if (!have.has(key))
      fault(start, `The pipeline must give "${key}", and no step does${givers(key, "", rules)}`);
}

function checkPresence({ steps, required, rules, start, name, fault }: OrderQuestion): void {
  const present = new Set(steps.map((bound) => bound.name));
  for (const step of required) {
    if (!present.has(step) && !rules.steps[step]?.optional)
      fault(start, `Step "${step}" is missing: no shipped check of "${name}" can be dropped`);
  }
  for (const bound of steps) {
    if (!required.includes(bound.name) && !bound.step.optional)
      fault(bound.at, `Step "${bound.name}" does not belong to "${name}"`);
  }
}

function checkPairs({ steps, contract, fault }: OrderQuestion): void {
  const indexOf = (wanted: string): number => steps.findIndex((bound) => bound.name === wanted);
  for (const [before, after] of contract.order) {
    const [first, second] = [indexOf(before), indexOf(after)];
    const late = steps[first];
    if (late !== undefined && second >= 0 && first > second)
      fault(late.at, `Step "${before}" must stand before "${after}"`);
  }
}

function checkLast({ steps, contract, fault }: OrderQuestion): void {
  if (contract.last === undefined) return;
  const end = steps.findIndex((bound) => bound.name === contract.last);
  if (end < 0) return;
  for (const [index, bound] of steps.entries()) {
    if (index > end && !bound.always)
      fault(bound.at, `Step "${bound.name}" must stand before "${contract.last}", which comes last`);
    if (index < end && bound.always)
      fault(bound.at, `Step "${bound.name}" always runs, so it must stand after "${contract.last}"`);
  }
}

function givers(key: StateKey, asker: string, rules: Rules): string {
  const names = Object.entries(rules.steps)
    .filter(([name, step]) => name !== asker && step.gives.includes(key))
    .map(([name]) => `"${name}"`);
  return names.length > 0 ? `: put ${names.join(" or ")} before it` : "";
}
