// A pipeline file as it was parsed when gum was built: reading YAML costs more than a whole call, and what is shipped
// never changes. Only the parse is kept; the proof of the order is made at every load.
import type { Place } from "../base/errors.ts";
import type { EntryKey, Located, PipelineFile, StepEntry, TopKey } from "./read.ts";

type PackedPlace = readonly [line: number, column: number];
type PackedValue = readonly [value: unknown, at: PackedPlace, inside?: Readonly<Record<string, PackedPlace>>];

export interface PackedFile {
  /** SHA-256 of the text that was parsed; for any other text this is worth nothing. */
  readonly sha256: string;
  readonly source: Readonly<Record<string, unknown>>;
  readonly keys: Readonly<Partial<Record<TopKey, PackedValue>>>;
  readonly entries: readonly (readonly [
    step: PackedValue,
    keys: Readonly<Partial<Record<EntryKey, PackedValue>>>,
  ])[];
  readonly start: PackedPlace;
}

/** What is kept of a file without faults. */
export function packPipelineFile({ source, keys, entries, start }: PipelineFile, sha256: string): PackedFile {
  return {
    sha256,
    source,
    keys: mapRecord(keys, pack),
    entries: entries.map((entry) => [pack(entry.step), mapRecord(entry.keys, pack)] as const),
    start: packPlace(start),
  };
}

/** The parse of that text, as reading it would give it. */
export function unpackPipelineFile(packed: PackedFile, file: string, text: string): PipelineFile {
  const lines = text.split("\n");
  const place = ([line, column]: PackedPlace): Place => ({ file, line, column, text: lines[line - 1] });
  const unpack = ([value, at, inside]: PackedValue): Located<unknown> => ({
    value,
    at: place(at),
    inside: inside === undefined ? undefined : mapPlaces(inside, place),
  });
  return {
    file,
    source: packed.source,
    keys: mapRecord(packed.keys, unpack),
    entries: packed.entries.map(
      ([step, keys]): StepEntry => ({
        step: { ...unpack(step), value: String(step[0]) },
        keys: mapRecord(keys, unpack),
      }),
    ),
    start: place(packed.start),
    findings: [],
  };
}

function pack({ value, at, inside }: Located<unknown>): PackedValue {
  return inside === undefined ? [value, packPlace(at)] : [value, packPlace(at), mapPlaces(inside, packPlace)];
}

function packPlace({ line, column }: Place): PackedPlace {
  return [line ?? 1, column ?? 1];
}

function mapRecord<K extends string, A, B>(
  record: Readonly<Partial<Record<K, A>>>,
  change: (value: A) => B,
): Partial<Record<K, B>> {
  const changed: Partial<Record<K, B>> = {};
  for (const key in record) {
    const value = record[key];
    if (value !== undefined) changed[key] = change(value);
  }
  return changed;
}

function mapPlaces<A, B>(places: Readonly<Record<string, A>>, change: (place: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(places).map(([key, place]) => [key, change(place)]));
}
