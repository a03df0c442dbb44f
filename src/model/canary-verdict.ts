import { canonicalJson } from "../base/digest.ts";
import type { Canary } from "./plugin.ts";

export interface CanaryOutcome {
  readonly isError: boolean;
  readonly payload: unknown;
  readonly latencyMs: number;
}

/** Why the outcome is not what the canary expects; empty when it is. `response_schema` is judged elsewhere. */
export function disappointments(expect: Canary["expect"], outcome: CanaryOutcome): string[] {
  const wantsError = expect?.is_error ?? false;
  if (outcome.isError !== wantsError) {
    return [wantsError ? "the call succeeded, and an error was expected" : "the call failed"];
  }
  const faults: string[] = [];
  for (const path of expect?.has ?? []) {
    if (!lookUp(outcome.payload, path).found) faults.push(`the result has no "${path}"`);
  }
  for (const [path, wanted] of Object.entries(expect?.equals ?? {})) {
    const { found, value } = lookUp(outcome.payload, path);
    if (!found) faults.push(`the result has no "${path}"`);
    else if (canonicalJson(value) !== canonicalJson(wanted))
      faults.push(`"${path}" is not ${JSON.stringify(wanted)}`);
  }
  if (expect?.max_ms !== undefined && outcome.latencyMs > expect.max_ms) {
    faults.push(`the call took ${Math.round(outcome.latencyMs)} ms, and ${expect.max_ms} ms are allowed`);
  }
  return faults;
}

/** Follows a dot path; digits step into arrays. */
export function lookUp(value: unknown, path: string): { readonly found: boolean; readonly value?: unknown } {
  let at = value;
  for (const key of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return { found: false };
    at = Reflect.get(at, key);
  }
  return { found: true, value: at };
}
