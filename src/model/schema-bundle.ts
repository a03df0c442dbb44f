/** One stored schema: `<schema_ref>.request` or `.response` in JCS form. */
export interface ResolvedSchema {
  readonly ref: string;
  readonly sha256: string;
  /** The JCS text that is stored. */
  readonly text: string;
}
