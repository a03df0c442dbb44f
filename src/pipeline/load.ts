// Proves a pipeline before anything runs: every step is known, every `with` fits, every need is given by an earlier
// step, nothing is given twice, nothing that was shipped is missing. All faults are reported together.
import { canonicalJson, jsonDigest } from "../base/digest.ts";
import { type Finding, findingsError, type Place } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import { didYouMean } from "../base/suggest.ts";
import { bindStep } from "./bind.ts";
import { checkOrder } from "./order.ts";
import type { BoundStep, Contract, Contracts, Pipeline } from "./pipeline.ts";
import type { PipelineFile, StepEntry } from "./read.ts";
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
    const shipped = shippedEntries(name, texts);
    checkKept(file.entries, shipped, rules, fault);
    checkOrder({
      name,
      steps,
      contract,
      required: shipped.map(({ step }) => step.value),
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
      sha256:
        shared === undefined ? jsonDigest(file.source) : jsonDigest([file.source, usedSource(file, texts)]),
      edited: found.edited || isUsedEdited(file, texts),
      steps,
      source: file.source,
    },
    findings: sortByPlace(findings),
  };
}

type Fault = (at: Place, message: string) => void;

/** A pipeline that shares another's steps is what both files say. */
function usedSource(file: PipelineFile, texts: PipelineTexts): unknown {
  const used = texts.find(String(file.keys.use?.value));
  return used === undefined ? null : texts.read(used.file, used.text).source;
}

function isUsedEdited({ keys }: PipelineFile, texts: PipelineTexts): boolean {
  return keys.use !== undefined && (texts.find(String(keys.use.value))?.edited ?? false);
}

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
  if (typeof keys.summary?.value !== "string" || keys.summary.value.trim() === "")
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
  if (examined.findings.length > 0) return [];
  const end = examined.pipeline.steps.findIndex((step) => step.name === until);
  if (end < 0 && typeof until === "string") {
    const names = examined.pipeline.steps.map((step) => step.name);
    fault(file.keys.until?.at ?? at, `Pipeline "${other}" has no step "${until}"${didYouMean(until, names)}`);
  }
  return examined.pipeline.steps.slice(0, Math.max(0, end));
}

/** The steps of a shipped text; a shared head counts as the other pipeline's. */
function shippedEntries(name: string, texts: PipelineTexts): readonly StepEntry[] {
  const text = texts.shipped(name);
  if (text === undefined) return [];
  const { keys, entries } = texts.read(name, text);
  if (keys.use === undefined) return entries;
  const others = shippedEntries(String(keys.use.value), texts);
  return others.slice(
    0,
    others.findIndex(({ step }) => step.value === keys.until?.value),
  );
}

/**
 * When a shipped check runs, and what its failure means, is not for an edit to change (P7): a gate that is skipped or
 * that only warns is no gate. Taking `on_error` away is allowed, since that is stricter.
 */
function checkKept(
  entries: readonly StepEntry[],
  shipped: readonly StepEntry[],
  rules: Rules,
  fault: Fault,
): void {
  for (const { step, keys } of entries) {
    const original = shipped.find((entry) => entry.step.value === step.value);
    if (original === undefined || rules.steps[step.value]?.optional) continue;
    for (const key of ["when", "always", "on_error"] as const) {
      const [own, theirs] = [keys[key], original.keys[key]];
      if (key === "on_error" && (own === undefined || own.value === "fail")) continue;
      if (canonicalJson(own?.value ?? null) === canonicalJson(theirs?.value ?? null)) continue;
      const wanted =
        theirs === undefined ? "is not allowed here" : `must stay ${JSON.stringify(theirs.value)}`;
      fault(own?.at ?? step.at, `"${key}" of step "${step.value}" ${wanted}`);
    }
  }
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
