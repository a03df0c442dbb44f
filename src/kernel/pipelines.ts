import { join, resolve } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import { examinePipeline, loadPipeline } from "../pipeline/load.ts";
import type { BoundStep, Pipeline } from "../pipeline/pipeline.ts";
import { shippedPipelines } from "../steps/shipped.ts";
import type { FindingAnswer, PipelineStepView, PipelineSummary, PipelineView } from "./answers.ts";
import type { Kernel } from "./kernel.ts";
import {
  isPipelineName,
  pipelineNames,
  readPipelineTexts,
  strangerError,
  strangersAmong,
} from "./pipeline-texts.ts";
import { rules } from "./rules.ts";

/** Every pipeline with its digest, in the order in which gum ships them. */
export async function listPipelines(kernel: Kernel): Promise<PipelineSummary[]> {
  const texts = await readPipelineTexts(kernel.host.files, kernel.pipelinesDir);
  return pipelineNames.map((name) => {
    const pipeline = loadPipeline(name, texts, rules);
    return summaryOf(pipeline);
  });
}

/** One pipeline, step by step. */
export async function showPipeline(kernel: Kernel, name: string): Promise<PipelineView> {
  const texts = await readPipelineTexts(kernel.host.files, kernel.pipelinesDir);
  const pipeline = loadPipeline(knownName(name), texts, rules);
  return { ...summaryOf(pipeline), file: pipeline.file, steps: pipeline.steps.map(viewOf) };
}

/** The text of one pipeline file, as it runs. */
export async function pipelineYaml(kernel: Kernel, name: string): Promise<string> {
  const texts = await readPipelineTexts(kernel.host.files, kernel.pipelinesDir);
  return texts.find(knownName(name))?.text ?? "";
}

/** Every fault in the pipelines of a folder, or in those that run now. */
export async function lintPipelines(
  kernel: Kernel,
  folder: string | undefined,
): Promise<{ readonly findings: readonly FindingAnswer[]; readonly checked: number }> {
  const directory = folder === undefined ? kernel.pipelinesDir : resolve(kernel.host.machine.cwd, folder);
  const strangers = directory === undefined ? [] : await strangersIn(kernel, directory);
  const texts = await readPipelineTexts(kernel.host.files, directory, { strangers: "ignore" });
  const seen = new Map<string, FindingAnswer>();
  for (const name of pipelineNames) {
    for (const finding of examinePipeline(name, texts, rules).findings) {
      seen.set(JSON.stringify([finding.at, finding.message]), finding); // a shared head is examined twice
    }
  }
  for (const stranger of strangers) seen.set(stranger.message, stranger);
  return { findings: [...seen.values()], checked: pipelineNames.length };
}

/** Writes the shipped files into a folder for editing; existing files are never overwritten. */
export async function exportPipelines(kernel: Kernel, folder: string): Promise<string[]> {
  const { files, machine } = kernel.host;
  const directory = resolve(machine.cwd, folder);
  const paths = pipelineNames.map((name) => join(directory, `${name}.yaml`));
  for (const path of paths) {
    if (await files.exists(path)) {
      throw new GumError("USAGE", `${path} is already there, and export overwrites nothing.`, {
        hint: "name an empty folder",
      });
    }
  }
  await files.mkdir(directory, { mode: 0o755, recursive: true });
  for (const name of pipelineNames) {
    await files.writeNew(join(directory, `${name}.yaml`), shippedPipelines[name], { mode: 0o644 });
  }
  return paths;
}

async function strangersIn(kernel: Kernel, folder: string): Promise<FindingAnswer[]> {
  const names = await kernel.host.files.list(folder).catch(() => []); // reading the texts says what is wrong
  return strangersAmong(names).map((name) => {
    const { code, message, info } = strangerError(folder, name);
    return { code, message, at: info.at, hint: info.hint };
  });
}

function knownName(name: string): string {
  if (isPipelineName(name)) return name;
  throw new GumError("USAGE", `There is no pipeline "${name}"${didYouMean(name, pipelineNames) || "."}`, {
    hint: "see `gum pipeline list`",
  });
}

function summaryOf(pipeline: Pipeline): PipelineSummary {
  const { name, summary, steps, sha256, edited } = pipeline;
  return { name, summary, steps: steps.length, sha256, edited };
}

function viewOf(bound: BoundStep, index: number): PipelineStepView {
  const { step, name, when, always, note } = bound;
  return {
    number: index + 1,
    step: name,
    summary: step.summary,
    needs: step.needs,
    gives: step.gives,
    codes: step.codes,
    with: bound.args,
    when: when?.name,
    on_error: bound.answers,
    always,
    timeout_ms: bound.timeoutMs,
    note,
  };
}
