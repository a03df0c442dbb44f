/** Where a value and its key begin in a text, and the same for what the value holds. */
export interface Mark {
  readonly at: number;
  readonly key: number;
  readonly children?: Map<string | number, Mark> | undefined;
}
