import { resolve } from "node:path/posix";
import { canonicalJson } from "../base/digest.ts";
import { findingsError } from "../base/errors.ts";
import { readPipelineFile } from "../pipeline/read.ts";
import type { PipelineDifference } from "./answers.ts";
import type { Kernel } from "./kernel.ts";
import { pipelineNames, readPipelineTexts } from "./pipeline-texts.ts";

interface Listed {
  readonly step: string;
  /** Everything else that the entry says, in a form that can be compared. */
  readonly rest: string;
}

type Change = PipelineDifference["changes"][number];

/** What an edited folder changes against the shipped pipelines, step by step. */
export async function diffPipelines(kernel: Kernel, folder: string): Promise<PipelineDifference[]> {
  const texts = await readPipelineTexts(kernel.host.files, resolve(kernel.host.machine.cwd, folder));
  return pipelineNames.flatMap((pipeline) => {
    const edited = texts.find(pipeline);
    const shipped = texts.shipped(pipeline);
    if (edited === undefined || shipped === undefined || !edited.edited) return [];
    const [first, ...rest] = readPipelineFile(edited.file, edited.text).findings;
    if (first !== undefined) throw findingsError([first, ...rest]); // what cannot be read cannot be compared
    const changes = [
      ...headChanges(headOf(pipeline, shipped), headOf(edited.file, edited.text)),
      ...stepChanges(entriesOf(pipeline, shipped), entriesOf(edited.file, edited.text)),
    ];
    return changes.length === 0 ? [] : [{ pipeline, changes }];
  });
}

function stepChanges(before: readonly Listed[], after: readonly Listed[]): Change[] {
  const kept = longestCommon(
    before.map(({ step }) => step),
    after.map(({ step }) => step),
  );
  const changes: Change[] = [];
  for (const { step } of before) {
    if (!after.some((entry) => entry.step === step))
      changes.push({ kind: "removed", step, text: `- ${step}` });
  }
  for (const [index, entry] of after.entries()) {
    const old = before.find(({ step }) => step === entry.step);
    const place = index === 0 ? "at the start" : `after ${after[index - 1]?.step}`;
    if (old === undefined)
      changes.push({ kind: "added", step: entry.step, text: `+ ${entry.step} ${place}` });
    else if (!kept.has(entry.step))
      changes.push({ kind: "moved", step: entry.step, text: `~ ${entry.step} now ${place}` });
    if (old !== undefined && old.rest !== entry.rest) {
      changes.push({
        kind: "changed",
        step: entry.step,
        text: `~ ${entry.step}: ${old.rest} → ${entry.rest}`,
      });
    }
  }
  return changes;
}

function headChanges(before: string, after: string): Change[] {
  return before === after ? [] : [{ kind: "changed", step: "", text: `~ ${before} → ${after}` }];
}

function headOf(file: string, text: string): string {
  const { steps, ...head } = readPipelineFile(file, text).source;
  return canonicalJson(head);
}

function entriesOf(file: string, text: string): Listed[] {
  return readPipelineFile(file, text).entries.map(({ step, keys }) => {
    const { step: _, ...rest } = keys;
    const values = Object.entries(rest).map(([key, located]) => [key, located.value]);
    return { step: step.value, rest: canonicalJson(Object.fromEntries(values)) };
  });
}

/** The names that kept their order: a longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): ReadonlySet<string> {
  const best: string[][] = Array.from({ length: b.length + 1 }, () => []);
  for (const name of a) {
    let corner: string[] = [];
    for (let j = 1; j <= b.length; j++) {
      const above = best[j] ?? [];
      const left = best[j - 1] ?? [];
      const extended = b[j - 1] === name ? [...corner, name] : above.length >= left.length ? above : left;
      corner = above;
      best[j] = extended;
    }
  }
  return new Set(best[b.length]);
}
