/** One entry of an archive that gum writes. Times, owners and every other bit are the same for all. */
export interface PackEntry {
  /** Relative, with `/` as separator. */
  readonly path: string;
  readonly kind: "file" | "link" | "folder";
  readonly executable: boolean;
  /** Bytes of a file; 0 for anything else. */
  readonly size: number;
  /** Where a link points. */
  readonly target: string;
}

/** The content of a file in pieces; exactly as many bytes as its entry says. */
export type ReadEntry = (entry: PackEntry) => AsyncIterable<Uint8Array>;

/** 0755 for what runs and for folders, 0644 for the rest, 0777 for links, whatever the file system said. */
export function packedMode({ kind, executable }: PackEntry): number {
  if (kind === "link") return 0o777;
  return kind === "folder" || executable ? 0o755 : 0o644;
}
