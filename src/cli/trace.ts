import type { KernelRequest } from "../kernel/kernel.ts";
import { cellText } from "./table.ts";

export type StepRecord = Parameters<NonNullable<KernelRequest["onStep"]>>[0];

const marks: Readonly<Record<StepRecord["outcome"], string>> = {
  ok: "✓",
  failed: "✗",
  quarantined: "✗",
  warned: "✗",
  skipped: "–",
  "would-run": "–",
};
const words: Partial<Readonly<Record<StepRecord["outcome"], string>>> = {
  quarantined: "quarantined",
  warned: "warning",
  skipped: "skipped",
  "would-run": "would run",
};

/** Turns each step's record into the line that --trace prints. */
export function createTracer(format: "text" | "json"): (record: StepRecord, index: number) => string {
  return format === "json"
    ? (record, index) => `${jsonLine(record, index)}\n`
    : (record, index) => `${stepLine(record, index)}\n`;
}

/** Number, name, mark, milliseconds, one-line result. */
export function stepLine(record: StepRecord, index: number): string {
  const { step, outcome, ms, code, note } = record;
  const time = outcome === "would-run" ? "" : `${ms.toFixed(1)} ms`;
  const result = [words[outcome], code, note].filter((part) => part !== undefined).map(cellText);
  return [
    String(index + 1).padStart(2),
    step.padEnd(20),
    marks[outcome],
    time.padStart(11),
    ` ${result.join(": ")}`,
  ]
    .join(" ")
    .trimEnd();
}

function jsonLine({ step, outcome, ms, note, code }: StepRecord, index: number): string {
  return JSON.stringify({ number: index + 1, step, outcome, ms: Math.round(ms * 1000) / 1000, note, code });
}
