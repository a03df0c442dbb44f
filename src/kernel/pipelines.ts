import { join, resolve } from "node:path/posix";
import { errnoWords } from "../base/errno-words.ts";
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

/** Writes the shipped files and their schema into a folder for editing; existing files are never overwritten. */
export async function exportPipelines(kernel: Kernel, folder: string): Promise<string[]> {
  const { files, machine } = kernel.host;
  const directory = resolve(machine.cwd, folder);
  const texts = await exportedTexts();
  for (const name of texts.keys()) {
    if (await existsIn(files, directory, name)) {
      throw new GumError(
        "USAGE",
        `${join(directory, name)} is already there, and export overwrites nothing.`,
        {
          hint: "name an empty folder",
        },
      );
    }
  }
  try {
    await files.mkdir(directory, { mode: 0o755, recursive: true });
    for (const [name, text] of texts) await files.writeNew(join(directory, name), text, { mode: 0o644 });
  } catch (error) {
    throw cannotExport(error, directory);
  }
  return [...texts.keys()].map((name) => join(directory, name));
}

/** What stands in an exported folder, by file name: editors find the schema beside the pipelines. */
async function exportedTexts(): Promise<Map<string, string>> {
  const schemaName = "pipeline.v1.schema.json";
  const { default: schema } = await import("../../schemas/pipeline.v1.schema.json", {
    with: { type: "json" },
  });
  const texts = new Map<string, string>();
  for (const name of pipelineNames) {
    const text = shippedPipelines[name].replace(
      /^(# yaml-language-server: \$schema=).*$/m,
      `$1${schemaName}`,
    );
    texts.set(`${name}.yaml`, text);
  }
  return texts.set(schemaName, `${JSON.stringify(schema, null, 2)}\n`);
}

async function existsIn(files: Kernel["host"]["files"], folder: string, name: string): Promise<boolean> {
  try {
    return await files.exists(join(folder, name));
  } catch (error) {
    throw cannotExport(error, folder);
  }
}

function cannotExport(error: unknown, folder: string): unknown {
  const why = errnoWords(error);
  if (why === undefined) return error;
  return new GumError("USAGE", `Cannot export to ${folder}: ${why}.`, {
    hint: "name a folder that you may write to, or a new one",
    cause: error,
  });
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
