import { basename } from "node:path/posix";
import { sha256 } from "../base/digest.ts";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { AuditHead } from "../model/generation.ts";
import { auditParts, emptyHead, parseRow, repairEvent } from "./audit-files.ts";
import { type RegistryHome, registryIo } from "./folders.ts";
import { listGenerations, readRecord } from "./generation-folders.ts";

/** What a whole chain amounts to. */
export interface AuditReport {
  readonly rows: number;
  readonly parts: number;
  /** The first row that is there; more than 1 when older parts were taken away. */
  readonly firstSeq: number;
  readonly head: AuditHead;
  /** The last line lacks its end: a crash cut it, and the next append will repair it. */
  readonly torn: boolean;
  /** How many rows are also vouched for by a generation. */
  readonly anchored: number;
}

interface Chain {
  head: AuditHead | undefined;
  rows: number;
  firstSeq: number;
  anchored: number;
  torn: boolean;
}

/** Walks the whole log; the first row that does not fit is REGISTRY_IO naming file, line and reason. */
export async function verifyAudit(host: Host, home: RegistryHome): Promise<AuditReport> {
  const anchors = await readAnchors(host, home);
  const parts = await auditParts(host.files, home);
  const chain: Chain = { head: undefined, rows: 0, firstSeq: 1, anchored: 0, torn: false };
  for (const [at, part] of parts.entries()) {
    const bytes = await registryIo(home, "read", () => host.files.readBytes(part));
    verifyPart(chain, bytes, basename(part), anchors, at === parts.length - 1);
  }
  const head = chain.head ?? emptyHead;
  for (const [seq] of anchors) {
    if (seq > head.seq) {
      throw broken(
        "audit.jsonl",
        chain.rows + 1,
        head.seq + 1,
        `the log ends before row ${seq}, which a generation names`,
      );
    }
  }
  return { ...chain, parts: parts.length, head };
}

function verifyPart(
  chain: Chain,
  bytes: Uint8Array,
  file: string,
  anchors: ReadonlyMap<number, string>,
  isLast: boolean,
): void {
  const lines = linesOf(bytes);
  const rest = lines.pop() ?? new Uint8Array(0);
  for (const [at, line] of lines.entries()) {
    const row = parseRow(new TextDecoder().decode(line));
    if (row === undefined) {
      if (isMended(lines[at + 1], line)) continue;
      throw broken(file, at + 1, nextSeq(chain), "it is no row of the log");
    }
    const wanted = chain.head ?? (row.seq === 1 ? emptyHead : { seq: row.seq - 1, sha256: row.prev });
    if (row.seq !== wanted.seq + 1) throw broken(file, at + 1, wanted.seq + 1, `its number is ${row.seq}`);
    if (row.prev !== wanted.sha256) {
      throw broken(
        file,
        at + 1,
        row.seq,
        "it does not carry the digest of the row before it, so one of both was changed",
      );
    }
    const digest = sha256(line);
    const anchor = anchors.get(row.seq);
    if (anchor !== undefined && anchor !== digest) {
      throw broken(file, at + 1, row.seq, "a generation records another digest for it");
    }
    if (chain.head === undefined) chain.firstSeq = row.seq;
    if (anchor !== undefined) chain.anchored++;
    chain.rows++;
    chain.head = { seq: row.seq, sha256: digest };
  }
  if (rest.length === 0) return;
  if (!isLast) throw broken(file, lines.length + 1, nextSeq(chain), "it has no end");
  chain.torn = true;
}

/** Heads of the log that generations recorded, by row number. */
async function readAnchors(host: Host, home: RegistryHome): Promise<Map<number, string>> {
  const anchors = new Map<number, string>();
  for (const { folder } of await listGenerations(host.files, home)) {
    const head = (await readRecord(host.files, home, folder))?.audit_head;
    if (head !== undefined && head !== null && head.seq > 0) anchors.set(head.seq, head.sha256);
  }
  return anchors;
}

/** Whether the next line is the repair row of exactly this torn line. */
function isMended(next: Uint8Array | undefined, torn: Uint8Array): boolean {
  const row = next === undefined ? undefined : parseRow(new TextDecoder().decode(next));
  return row?.event === repairEvent && row.details?.torn_sha256 === sha256(torn);
}

/** The bytes between newlines; the last item is what stands behind the last newline. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

function nextSeq(chain: Chain): number {
  return (chain.head?.seq ?? 0) + 1;
}

function broken(file: string, line: number, seq: number, why: string): GumError {
  return new GumError("REGISTRY_IO", `The audit log is broken at row ${seq} (${file}:${line}): ${why}.`, {
    at: { file, line },
    details: { file, line, seq, reason: why },
    hint: "somebody or something changed the file: keep a copy and compare it with a backup",
  });
}
