import { tailAudit } from "../registry/audit.ts";
import { readAuditRow } from "../registry/audit-row.ts";
import { verifyAudit } from "../registry/audit-verify.ts";
import { registryIo } from "../registry/folders.ts";
import type { AuditRowAnswer, AuditVerifyAnswer } from "./answers-trust.ts";
import type { Kernel } from "./kernel.ts";

/** Walks the whole audit log; the first row that does not fit is REGISTRY_IO naming it (R15). */
export async function verifyAuditLog({ host, profile }: Kernel): Promise<AuditVerifyAnswer> {
  const { rows, parts, firstSeq, head, torn, anchored } = await registryIo(profile, "read", () =>
    verifyAudit(host, profile),
  );
  return { ok: true, rows, parts, first_seq: firstSeq, head, torn, anchored };
}

/** The last rows of the audit log, oldest first; of one plugin, if one is named. */
export async function tailAuditLog(
  { host, profile }: Kernel,
  options: { readonly lines: number; readonly plugin?: string | undefined },
): Promise<AuditRowAnswer[]> {
  const { lines, plugin } = options;
  const tail = (count: number) => registryIo(profile, "read", () => tailAudit(host, profile, count));
  if (plugin === undefined) return tail(lines);
  const all = await tail(Number.POSITIVE_INFINITY);
  return all.filter((row) => row.plugin === plugin).slice(-lines);
}

/** One row of the audit log, whole. */
export async function showAuditRow({ host, profile }: Kernel, seq: number): Promise<AuditRowAnswer> {
  return registryIo(profile, "read", () => readAuditRow(host, profile, seq));
}
