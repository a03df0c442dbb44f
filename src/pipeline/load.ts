// Proves a pipeline before anything runs: every step is known, every `with` fits, every need is given by an earlier
// step, nothing is given twice, nothing that was shipped is missing. All faults are reported together.
import { jsonDigest } from "../base/digest.ts";
import { type Finding, findingsError, type Place } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import { bindStep } from "./bind.ts";
import { checkOrder } from "./order.ts";
import type { BoundStep, Contract, Contracts, Pipeline } from "./pipeline.ts";
import type { PipelineFile } from "./read.ts";
import type { PredicateTable, StepTable } from "./step.ts";

/** Where pipeline texts come from: the operator's folder first, then what is shipped. */
export interface PipelineTexts {
  /** The text that runs for this name. */
  find(name: string): { readonly file: string; readonly text: string; readonly edited: boolean } | undefined;
  /** The text that was shipped, to know which steps must stay. */
  shipped(name: string): string | undefined;
  /** Parses a text; a parse that is known already saves loading the YAML reader. */
  read(file: string, text: string): PipelineFile;
}

/** Everything that the loader checks a file against. */
export interface Rules {
  readonly steps: StepTable;
  readonly predicates: PredicateTable;
  readonly contracts: Contracts;
}

/** Loads and proves one pipeline. Throws PIPELINE_INVALID with every fault and its place. */
export function loadPipeline(name: string, texts: PipelineTexts, rules: Rules): Pipeline {
  const { pipeline, findings } = examinePipeline(name, texts, rules);
  const [first, ...rest] = findings;
  if (first !== undefined) throw findingsError([first, ...rest]);
  return pipeline;
}

/** The pipeline as far as it can be understood, and every fault in it. */
export function examinePipeline(
  name: string,
  texts: PipelineTexts,
  rules: Rules,
): { readonly pipeline: Pipeline; readonly findings: readonly Finding[] } {
  const contract = rules.contracts[name];
  const found = texts.find(name);
  if (contract === undefined || found === undefined) throw unknownPipeline(name, rules);

  const file = texts.read(found.file, found.text);
  const findings: Finding[] = [...file.findings];
  const fault = (at: Place, message: string): void =>
    void findings.push({ code: "PIPELINE_INVALID", message, at });
  const shared = file.keys.use === undefined ? undefined : sharedHead(name, file, texts, rules, findings);
  checkHead(name, file, contract, shared !== undefined, fault);

  const steps: BoundStep[] = shared ?? file.entries.flatMap((entry) => bindStep(entry, rules, fault) ?? []);
  if (findings.length === 0) {
    const shippedText = texts.shipped(name);
    const required = shippedText === undefined ? [] : shippedSteps(name, shippedText, texts);
    checkOrder({
      name,
      steps,
      contract,
      required,
      rules,
      start: file.start,
      wholePipeline: shared === undefined,
      fault,
    });
  }
  return {
    pipeline: {
      name,
      version: Number(file.keys.version?.value ?? 0),
      summary: String(file.keys.summary?.value ?? ""),
      file: found.file,
      sha256: jsonDigest(file.source),
      edited: found.edited,
      steps,
      source: file.source,
    },
    findings: sortByPlace(findings),
  };
}

type Fault = (at: Place, message: string) => void;

/** The keys above the steps. */
function checkHead(
  name: string,
  file: PipelineFile,
  contract: Contract,
  shared: boolean,
  fault: Fault,
): void {
  const { keys, start } = file;
  if (file.findings.length > 0) return;
  if (keys.pipeline?.value !== name) fault(keys.pipeline?.at ?? start, `"pipeline" must be "${name}"`);
  if (keys.version?.value !== 1) fault(keys.version?.at ?? start, '"version" must be 1');
  if (typeof keys.summary?.value !== "string")
    fault(keys.summary?.at ?? start, '"summary" must be a sentence');
  if (shared) {
    if (keys.steps !== undefined) fault(keys.steps.at, '"steps" cannot stand beside "use"');
    if (typeof keys.until?.value !== "string") fault(keys.until?.at ?? start, '"use" needs "until: <step>"');
    return;
  }
  if (keys.until !== undefined) fault(keys.until.at, '"until" stands only beside "use"');
  if (keys.steps === undefined) fault(start, '"steps" is missing');
  const wanted = Object.entries(contract.input).map(([key, type]) => `${key}: ${type}`);
  const said = keys.input?.value;
  const given = isRecord(said) ? Object.entries(said).map(([key, type]) => `${key}: ${type}`) : [];
  if (wanted.toSorted().join() !== given.toSorted().join()) {
    fault(keys.input?.at ?? start, `"input" must be { ${wanted.join(", ")} }`);
  }
}

/** `use: install, until: confirm-trust`: the other pipeline's steps up to, without, that one. */
function sharedHead(
  name: string,
  file: PipelineFile,
  texts: PipelineTexts,
  rules: Rules,
  findings: Finding[],
): BoundStep[] {
  const at = file.keys.use?.at ?? file.start;
  const other = String(file.keys.use?.value);
  const until = file.keys.until?.value;
  const fault: Fault = (place, message) =>
    void findings.push({ code: "PIPELINE_INVALID", message, at: place });
  if (other === name) {
    fault(at, "A pipeline cannot use itself");
    return [];
  }
  const found = texts.find(other);
  if (rules.contracts[other] === undefined || found === undefined) {
    fault(at, `Unknown pipeline "${other}" in "use"${didYouMean(other, Object.keys(rules.contracts))}`);
    return [];
  }
  // One level alone: a head that is itself shared could lead back here.
  if (texts.read(found.file, found.text).keys.use !== undefined) {
    fault(at, `Pipeline "${other}" shares steps itself: use the pipeline that they stand in`);
    return [];
  }
  const examined = examinePipeline(other, texts, rules);
  findings.push(...examined.findings);
  const end = examined.pipeline.steps.findIndex((step) => step.name === until);
  if (end < 0 && typeof until === "string") {
    const names = examined.pipeline.steps.map((step) => step.name);
    fault(file.keys.until?.at ?? at, `Pipeline "${other}" has no step "${until}"${didYouMean(until, names)}`);
  }
  return examined.pipeline.steps.slice(0, Math.max(0, end));
}

/** Names of the steps of a shipped text; a shared head counts as the other pipeline's. */
function shippedSteps(name: string, text: string, texts: PipelineTexts): string[] {
  const { keys, entries } = texts.read(name, text);
  if (keys.use === undefined) return entries.map(({ step }) => step.value);
  const names = shippedSteps(String(keys.use.value), texts.shipped(String(keys.use.value)) ?? "", texts);
  return names.slice(0, names.indexOf(String(keys.until?.value)));
}

function unknownPipeline(name: string, rules: Rules): Error {
  const message = `Unknown pipeline "${name}"${didYouMean(name, Object.keys(rules.contracts))}`;
  return findingsError([{ code: "PIPELINE_INVALID", message, hint: "see `gum pipeline list`" }]);
}

function sortByPlace(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
