/** Where a value and its key begin in a text, and the same for what the value holds. */
export interface Mark {
  readonly at: number;
  readonly key: number;
  /** What JSON has no word for: a number with a fraction or an exponent, or a date. */
  readonly literal?: "float" | "date" | undefined;
  readonly children?: Map<string | number, Mark> | undefined;
}

/** The first date of a TOML text, which would pass for text where JSON is meant. */
export function firstDate(mark: Mark): Mark | undefined {
  if (mark.literal === "date") return mark;
  for (const child of mark.children?.values() ?? []) {
    const found = firstDate(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
