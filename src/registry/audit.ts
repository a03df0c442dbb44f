import * as v from "valibot";
import { sha256 } from "../base/digest.ts";
import { isErrno } from "../base/errors.ts";
import { untilQuiet } from "../base/quiet.ts";
import type { Host, OpenFile } from "../host/host.ts";
import { AuditEvent, type AuditRow } from "../model/audit.ts";
import type { AuditHead } from "../model/generation.ts";
import {
  type AuditEnd,
  auditParts,
  currentPart,
  parseRow,
  partName,
  readAuditHead,
  readEnd,
  repairEvent,
} from "./audit-files.ts";
import { lingeringLock } from "./audit-lock.ts";
import { flush, type RegistryHome, registryIo } from "./folders.ts";

/** The audit log of one profile, for a process that writes many rows. */
export interface AuditLog {
  /** Resolves when the row is in the file; with `sync`, on the disk. */
  append(event: AuditEvent, options?: { sync?: boolean }): Promise<AuditHead>;
  /** Waits for rows under way and lets the lock go. */
  close(): Promise<void>;
}

export interface AuditOptions {
  readonly rotateBytes?: number;
  /**
   * How long the lock is kept after the last row, so that a server need not take it for every call. Others get their
   * turn after a second at the latest. Without it the lock is let go at once.
   */
  readonly lingerMs?: number;
}

const defaultRotateBytes = 16 << 20;
const mostTogether = 256;

/** Appends one row to the profile's audit log. */
export function appendAudit(
  host: Host,
  home: RegistryHome,
  event: AuditEvent,
  options: { sync?: boolean; rotateBytes?: number } = {},
): Promise<AuditHead> {
  return openAudit(host, home, options).append(event, options);
}

/** Throws REGISTRY_IO when the log cannot be opened for another row; nothing is written. */
export function proveAppendable(host: Host, home: RegistryHome): Promise<void> {
  return registryIo(home, "write the audit log in", async () => {
    const file = await host.files.open(currentPart(home), "append");
    await file.close();
  });
}

/** Opens the log for many appends: rows that wait for the same lock are written together. */
export function openAudit(host: Host, home: RegistryHome, options: AuditOptions = {}): AuditLog {
  const { rotateBytes = defaultRotateBytes, lingerMs = 0 } = options;
  const part = openPart(host, home);
  const lock = lingeringLock(host, home, lingerMs, part.close);
  let known: Known | undefined;
  let waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // Calls that were answered together end together: their rows go into one write.
      await untilQuiet(() => waiting.length, mostTogether);
      const batch = waiting;
      waiting = [];
      try {
        known = await registryIo(home, "write the audit log in", () =>
          lock.during(async () =>
            writeRows(host, home, { batch, part, start: await findStart(host, home, known, rotateBytes) }),
          ),
        );
      } catch (error) {
        known = undefined;
        await part.close();
        for (const one of batch) one.reject(error);
      }
    }
    draining = undefined;
  }

  return {
    append(event, { sync = false } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<AuditHead>();
      waiting.push({ event: v.parse(AuditEvent, event), sync, resolve, reject });
      draining ??= drain();
      return promise;
    },
    async close() {
      await draining;
      await lock.release();
    },
  };
}

interface Waiting {
  readonly event: AuditEvent;
  readonly sync: boolean;
  resolve(head: AuditHead): void;
  reject(error: unknown): void;
}

/** What this process last saw: as long as the file is that file with that size, its head is known. */
interface Known {
  readonly ino: bigint;
  readonly size: number;
  readonly head: AuditHead;
}

interface Start {
  readonly head: AuditHead;
  /** Stands before the first new row: what mends a torn line. */
  readonly lead: string;
  /** The file that the rows go to, when it is there. */
  readonly file?: { readonly ino: bigint; readonly size: number } | undefined;
}

/** The part that is written to, open for as long as the lock is held. */
interface OpenPart {
  /** The file with this number, or whichever has the part's name when none is open. */
  take(ino: bigint | undefined): Promise<OpenFile>;
  close(): Promise<void>;
}

function openPart({ files }: Host, home: RegistryHome): OpenPart {
  let open: { readonly file: OpenFile; readonly ino: bigint } | undefined;
  const close = async (): Promise<void> => {
    const { file } = open ?? {};
    open = undefined;
    await file?.close();
  };
  return {
    async take(ino) {
      if (open !== undefined && open.ino === ino) return open.file;
      await close();
      const file = await files.open(currentPart(home), "append");
      open = { file, ino: (await file.stat()).ino };
      return file;
    },
    close,
  };
}

async function findStart(
  host: Host,
  home: RegistryHome,
  known: Known | undefined,
  rotateBytes: number,
): Promise<Start> {
  const path = currentPart(home);
  const facts = await statOrUndefined(host, path);
  if (facts === undefined) return { head: await readAuditHead(host.files, home), lead: "" };
  const unchanged = known !== undefined && known.ino === facts.ino && known.size === facts.size;
  const end = unchanged ? undefined : await readEnd(host.files, path);
  const head = unchanged ? known.head : (end?.head ?? (await readAuditHead(host.files, home)));
  const start =
    end === undefined || end.torn.length === 0 ? { head, lead: "" } : mended(host, home, head, end);
  if (start.lead === "" && facts.size >= rotateBytes && head.seq > 0) {
    await host.files.rename(path, partName(home, head.seq));
    return start;
  }
  return { ...start, file: facts };
}

/** A torn line that is a whole row only lacks its newline; any other is set off and named by a row of its own. */
function mended(host: Host, home: RegistryHome, head: AuditHead, end: AuditEnd): Start {
  host.log.warn(`the last line of the audit log of profile "${home.name}" was torn; it has been repaired`);
  const line = new TextDecoder().decode(end.torn);
  const row = parseRow(line);
  if (row !== undefined && row.seq === head.seq + 1 && row.prev === head.sha256) {
    return { head: { seq: row.seq, sha256: sha256(line) }, lead: "\n" };
  }
  const note: AuditEvent = {
    event: repairEvent,
    outcome: "ok",
    details: { torn_bytes: end.torn.length, torn_sha256: sha256(end.torn) },
  };
  const repair = rowLine(host, head, note);
  return { head: repair.head, lead: `\n${repair.line}\n` };
}

interface Writing {
  readonly batch: readonly Waiting[];
  readonly part: OpenPart;
  readonly start: Start;
}

async function writeRows(host: Host, home: RegistryHome, { batch, part, start }: Writing): Promise<Known> {
  let head = start.head;
  let text = start.lead;
  const heads = batch.map(({ event }) => {
    const row = rowLine(host, head, event);
    text += `${row.line}\n`;
    head = row.head;
    return head;
  });
  const file = await part.take(start.file?.ino);
  const bytes = new TextEncoder().encode(text);
  await file.write(bytes);
  if (batch.some((one) => one.sync)) await flush(host, home, () => file.sync());
  const known = start.file === undefined ? await file.stat() : start.file;
  const size = start.file === undefined ? known.size : known.size + bytes.length;
  for (const [at, one] of batch.entries()) one.resolve(heads[at] ?? head);
  return { ino: known.ino, size, head };
}

function rowLine(host: Host, before: AuditHead, event: AuditEvent): { line: string; head: AuditHead } {
  const at = new Date(host.clock.now()).toISOString();
  const row: AuditRow = { seq: before.seq + 1, prev: before.sha256, at, ...event };
  const line = JSON.stringify(row);
  return { line, head: { seq: row.seq, sha256: sha256(line) } };
}

async function statOrUndefined(host: Host, path: string): Promise<{ ino: bigint; size: number } | undefined> {
  try {
    return await host.files.lstat(path);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The last rows of the log, oldest first. */
export async function tailAudit(host: Host, home: RegistryHome, count: number): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const part of (await auditParts(host.files, home)).reverse()) {
    const lines = (await registryIo(home, "read", () => host.files.readBytes(part))).slice();
    const found = new TextDecoder()
      .decode(lines)
      .split("\n")
      .flatMap((line) => parseRow(line) ?? []);
    rows.unshift(...found);
    if (rows.length >= count) break;
  }
  return rows.slice(Math.max(0, rows.length - count));
}
