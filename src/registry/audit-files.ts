// How the audit log lies on disk: audit.jsonl, and older parts as audit.<last seq>.jsonl. Each row carries the
// SHA-256 of the line before it, also across parts.
import { join } from "node:path/posix";
import * as v from "valibot";
import { sha256 } from "../base/digest.ts";
import { isErrno } from "../base/errors.ts";
import type { Files } from "../host/host.ts";
import { AuditRow } from "../model/audit.ts";
import type { AuditHead } from "../model/generation.ts";
import { foldersOf, namesIn, type RegistryHome } from "./folders.ts";

/** The head of a log that has no row yet. */
export const emptyHead: AuditHead = { seq: 0, sha256: "0".repeat(64) };
/** The event of the row that is written behind a torn one. */
export const repairEvent = "audit.repaired";

/** The end of one file. */
export interface AuditEnd {
  /** The last whole row; undefined when the file has none. */
  readonly head: AuditHead | undefined;
  /** What stands behind the last newline. */
  readonly torn: Uint8Array;
  readonly size: number;
  readonly ino: bigint;
}

const newline = 10;
const firstTail = 1 << 16;

/** All parts of the log in order, oldest first, as paths; the one being written is last. */
export async function auditParts(files: Files, home: RegistryHome): Promise<string[]> {
  const names = await namesIn(files, home.dataDir);
  const older = names.filter((name) => /^audit\.\d{12}\.jsonl$/.test(name)).sort();
  const present = names.includes("audit.jsonl") ? ["audit.jsonl"] : [];
  return [...older, ...present].map((name) => join(home.dataDir, name));
}

/** The name under which a full part is set aside. */
export function partName(home: RegistryHome, lastSeq: number): string {
  return join(home.dataDir, `audit.${String(lastSeq).padStart(12, "0")}.jsonl`);
}

/** The last row of the whole log. */
export async function readAuditHead(files: Files, home: RegistryHome): Promise<AuditHead> {
  for (const part of (await auditParts(files, home)).reverse()) {
    const end = await readEnd(files, part);
    if (end?.head !== undefined) return end.head;
  }
  return emptyHead;
}

/** Reads the end of a file, as much as its last row needs; undefined when the file is absent. */
export async function readEnd(files: Files, path: string): Promise<AuditEnd | undefined> {
  let file: Awaited<ReturnType<Files["open"]>>;
  try {
    file = await files.open(path, "read-no-follow");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
  try {
    const { size, ino } = await file.stat();
    for (let wanted = firstTail; ; wanted *= 8) {
      const from = Math.max(0, size - wanted);
      const bytes = new Uint8Array(size - from);
      const count = await file.read(bytes, from);
      const found = lastRow(bytes.subarray(0, count), from === 0);
      if (found !== undefined) return { ...found, size, ino };
    }
  } finally {
    await file.close();
  }
}

/** One line as a row; undefined when it is none. */
export function parseRow(line: string): AuditRow | undefined {
  try {
    const result = v.safeParse(AuditRow, JSON.parse(line));
    return result.success ? result.output : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The path of the part that is being written. */
export function currentPart(home: RegistryHome): string {
  return foldersOf(home).audit;
}

/** Undefined when the bytes do not reach back to the start of the last whole row. */
function lastRow(bytes: Uint8Array, isWhole: boolean): Pick<AuditEnd, "head" | "torn"> | undefined {
  const end = bytes.lastIndexOf(newline);
  const torn = bytes.slice(end + 1);
  let stop = end;
  // A line that is no row was torn and set off by a repair; the row before it is the one that counts.
  while (stop >= 0) {
    const start = stop === 0 ? -1 : bytes.lastIndexOf(newline, stop - 1);
    if (start < 0 && !isWhole) return undefined;
    const line = new TextDecoder().decode(bytes.subarray(start + 1, stop));
    const row = parseRow(line);
    if (row !== undefined) return { head: { seq: row.seq, sha256: sha256(line) }, torn };
    stop = start;
  }
  return isWhole ? { head: undefined, torn } : undefined;
}
