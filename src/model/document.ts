import type { Place } from "../base/errors.ts";

export type ManifestName = "manifest.json" | "manifest.toml" | "mcp-plugin.json";
export type Dialect = "flat" | "nested" | "esm";
export type DocumentPath = readonly (string | number)[];

/** A manifest as it was written: its values, and where each of them stands. */
export interface ManifestDocument {
  readonly file: ManifestName;
  readonly dialect: Dialect;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Where the value at the path begins; of a path that is not there, its nearest ancestor. */
  placeOf(path: DocumentPath): Place;
  /** Where the key at the end of the path stands. */
  keyPlaceOf(path: DocumentPath): Place;
  /** Whether TOML has the value as a number with a fraction or an exponent, such as 1.0. */
  isFloat(path: DocumentPath): boolean;
}
