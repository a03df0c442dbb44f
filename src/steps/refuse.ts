import { type Finding, findingsError } from "../base/errors.ts";

/** Throws one error for all findings of a class; nothing happens when there are none. */
export function refuse(findings: readonly Finding[]): void {
  const [first, ...rest] = findings;
  if (first !== undefined) throw findingsError([first, ...rest]);
}
