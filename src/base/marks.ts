/** Where a value and its key begin in a text, and the same for what the value holds. */
export interface Mark {
  readonly at: number;
  readonly key: number;
  /** What JSON has no word for: a number with a fraction or an exponent, or a date. */
  readonly literal?: "float" | "date" | undefined;
  readonly children?: Map<string | number, Mark> | undefined;
}
