// Reads the text of a pipeline file into entries with positions. It knows the grammar (which keys exist) and nothing
// of steps; every fault is collected, so that one run of `lint` shows them all.
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from "yaml";
import type { Finding, Place } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import { maxPipelineBytes } from "./pipeline.ts";

/** A value with its place in the file. */
export interface Located<T> {
  readonly value: T;
  readonly at: Place;
  /** Where each key of a mapping, or each item of a list, stands. */
  readonly inside?: Readonly<Record<string, Place>> | undefined;
}

export interface StepEntry {
  readonly step: Located<string>;
  readonly keys: Readonly<Partial<Record<EntryKey, Located<unknown>>>>;
}

export interface PipelineFile {
  readonly file: string;
  readonly source: Readonly<Record<string, unknown>>;
  readonly keys: Readonly<Partial<Record<TopKey, Located<unknown>>>>;
  readonly entries: readonly StepEntry[];
  readonly start: Place;
  readonly findings: readonly Finding[];
}

export const topKeys = ["pipeline", "version", "summary", "input", "steps", "use", "until"] as const;
export const entryKeys = ["step", "with", "when", "on_error", "always", "timeout_ms", "note"] as const;
export type TopKey = (typeof topKeys)[number];
export type EntryKey = (typeof entryKeys)[number];

/** Parses one file. Syntax faults and unknown keys stand in `findings`; nothing is thrown. */
export function readPipelineFile(file: string, text: string): PipelineFile {
  const counter = new LineCounter();
  const lines = text.split("\n");
  const findings: Finding[] = [];
  const placeAt = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col), text: lines[Math.max(1, line) - 1] };
  };
  const fault = (at: Place, message: string): void =>
    void findings.push({ code: "PIPELINE_INVALID", message, at });
  const empty = {
    file,
    source: {},
    keys: {},
    entries: [],
    start: { file, line: 1, column: 1, text: lines[0] },
    findings,
  };

  if (text.length > maxPipelineBytes) {
    fault(empty.start, `The file is larger than ${maxPipelineBytes} bytes`);
    return empty;
  }
  const doc = parseDocument(text, { lineCounter: counter, strict: true, uniqueKeys: true });
  for (const { pos, message, code } of [...doc.errors, ...doc.warnings]) {
    const several = code.startsWith("MULTIPLE");
    fault(placeAt(pos[0]), several ? "The file must hold one YAML document" : firstLine(message));
  }
  visit(doc, {
    // A pipeline that says the same twice by reference is hard to audit.
    Alias: (_, node) => fault(placeAt(startOf(node)), "Anchors and aliases are not allowed in a pipeline"),
    Node: (_, node) => {
      if (!isAlias(node) && node.anchor !== undefined)
        fault(placeAt(startOf(node)), "Anchors and aliases are not allowed in a pipeline");
    },
  });
  if (findings.length > 0) return empty;
  if (!isMap(doc.contents)) {
    fault(
      empty.start,
      "The file must be a mapping with the keys pipeline, version, summary, input and steps",
    );
    return empty;
  }
  const source: Record<string, unknown> = doc.toJS({ maxAliasCount: 0 });
  const reader: Reader = { placeAt, fault, plain: (node) => node.toJS(doc) };
  const keys = readKeys(doc.contents, topKeys, "the file", reader);
  return { file, source, keys, entries: readEntries(doc.contents, reader), start: empty.start, findings };
}

interface Reader {
  placeAt(offset: number): Place;
  fault(at: Place, message: string): void;
  plain(node: Node): unknown;
}

function readEntries(root: YAMLMap, reader: Reader): StepEntry[] {
  const list = root.get("steps", true);
  if (list === undefined) return [];
  if (!isSeq(list)) {
    reader.fault(reader.placeAt(startOf(list)), '"steps" must be a list of steps');
    return [];
  }
  return list.items.flatMap((item) => readEntry(item, reader));
}

function readEntry(item: unknown, reader: Reader): StepEntry[] {
  const at = reader.placeAt(startOf(item));
  if (!isMap(item)) {
    reader.fault(at, 'A step must be a mapping that starts with "step: <name>"');
    return [];
  }
  const keys = readKeys(item, entryKeys, "a step", reader);
  const step = keys.step;
  if (step === undefined || typeof step.value !== "string") {
    reader.fault(step?.at ?? at, 'A step needs "step: <name>"');
    return [];
  }
  return [{ step: { value: step.value, at: step.at }, keys }];
}

/** The known keys of a mapping with their values; each unknown one is a fault at its place. */
function readKeys<K extends string>(
  map: YAMLMap,
  known: readonly K[],
  where: string,
  reader: Reader,
): Partial<Record<K, Located<unknown>>> {
  const found: Partial<Record<K, Located<unknown>>> = {};
  for (const { key, value } of map.items as Pair[]) {
    const name = isScalar(key) ? String(key.value) : "";
    const match = known.find((candidate) => candidate === name);
    if (match === undefined) {
      reader.fault(
        reader.placeAt(startOf(key)),
        `Unknown key "${name}" in ${where}${didYouMean(name, known)}`,
      );
    } else {
      const node = value ?? key;
      const plain = isNode(node) ? reader.plain(node) : null;
      found[match] = { value: plain, at: reader.placeAt(startOf(node)), inside: placesIn(node, reader) };
    }
  }
  return found;
}

function placesIn(node: unknown, { placeAt }: Reader): Record<string, Place> | undefined {
  if (isSeq(node)) {
    return Object.fromEntries(node.items.map((item, index) => [String(index), placeAt(startOf(item))]));
  }
  if (!isMap(node)) return undefined;
  return Object.fromEntries(
    node.items.map(({ key }) => [isScalar(key) ? String(key.value) : "", placeAt(startOf(key))]),
  );
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function firstLine(message: string): string {
  return message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? message;
}
