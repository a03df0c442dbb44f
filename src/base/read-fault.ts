/** Manifests and the JSON and TOML files beside them may not nest deeper. */
export const maxNesting = 64;

/** Nor hold more values: a megabyte of `0,` is no manifest, but would cost seconds and hundreds of megabytes. */
export const maxValues = 100_000;

/** Keys that would reach into JavaScript's own objects. */
export const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** A text that cannot be read, and where. */
export class ReadFault extends Error {
  override readonly name = "ReadFault";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
