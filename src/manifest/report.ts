import type { ErrorCode } from "../base/error-codes.ts";
import type { Finding } from "../base/errors.ts";
import type { DocumentPath, ManifestDocument } from "../model/document.ts";
import { renderPath } from "./document.ts";

/** More findings than a person can use would only fill memory: a hostile manifest can hold 100,000 faults. */
const mostFindings = 500;

/** Collects findings about a document and puts them in the order of their positions (M41). */
export class Report {
  private readonly document: ManifestDocument;
  private readonly found: Finding[] = [];

  constructor(document: ManifestDocument) {
    this.document = document;
  }

  /** Adds "<path> <predicate>." at the value. */
  field(code: ErrorCode, path: DocumentPath, predicate: string, hint?: string): void {
    this.add(code, path, this.sentence(path, predicate), "placeOf", hint);
  }

  /** Adds "<path> <predicate>." at the key. */
  key(code: ErrorCode, path: DocumentPath, predicate: string, hint?: string): void {
    this.add(code, path, this.sentence(path, predicate), "keyPlaceOf", hint);
  }

  /** Adds a whole sentence at the value. */
  say(code: ErrorCode, path: DocumentPath, message: string, hint?: string): void {
    this.add(code, path, message, "placeOf", hint);
  }

  /** Adds a whole sentence at the key. */
  sayAtKey(code: ErrorCode, path: DocumentPath, message: string): void {
    this.add(code, path, message, "keyPlaceOf", undefined);
  }

  /** Everything found, by position. */
  findings(): Finding[] {
    return sortFindings(this.found);
  }

  private add(
    code: ErrorCode,
    path: DocumentPath,
    message: string,
    where: "placeOf" | "keyPlaceOf",
    hint: string | undefined,
  ): void {
    if (this.found.length >= mostFindings) return;
    const at = this.document[where](path);
    this.found.push({ code, message, path: renderPath(path), at, ...(hint === undefined ? {} : { hint }) });
  }

  private sentence(path: DocumentPath, predicate: string): string {
    const name = path.length === 0 ? this.document.file : renderPath(path);
    return predicate.endsWith("?") ? `${name} ${predicate}` : `${name} ${predicate}.`;
  }
}

/** Findings by line and column; those at one place keep their order. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}
