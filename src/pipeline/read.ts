// Reads the text of a pipeline file into entries with positions. It knows the grammar (which keys exist) and nothing
// of steps; every fault is collected, so that one run of `lint` shows them all.
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import type { Finding, Place } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";

/** A value with its place in the file. */
export interface Located<T> {
  readonly value: T;
  readonly at: Place;
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

const maxBytes = 256 * 1024;

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

  if (text.length > maxBytes) {
    fault(empty.start, `The file is larger than ${maxBytes} bytes`);
    return empty;
  }
  const doc = parseDocument(text, { lineCounter: counter, strict: true, uniqueKeys: true });
  for (const error of doc.errors) fault(placeAt(error.pos[0]), firstLine(error.message));
  if (findings.length > 0) return empty;
  if (!isMap(doc.contents)) {
    fault(
      empty.start,
      "The file must be a mapping with the keys pipeline, version, summary, input and steps",
    );
    return empty;
  }
  let source: Record<string, unknown>;
  try {
    source = doc.toJS({ maxAliasCount: 0 }); // a pipeline that says the same twice by reference is hard to audit
  } catch {
    fault(empty.start, "Anchors and aliases are not allowed in a pipeline");
    return empty;
  }
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
      found[match] = { value: isNode(node) ? reader.plain(node) : null, at: reader.placeAt(startOf(node)) };
    }
  }
  return found;
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function firstLine(message: string): string {
  return message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "") ?? message;
}
