import { basename } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { AuditRow } from "../model/audit.ts";
import { auditParts, parseRow, readAuditHead } from "./audit-files.ts";
import { type RegistryHome, registryIo } from "./folders.ts";

/** One row of the audit log by its number; USAGE, with the numbers that there are, when it is not there. */
export async function readAuditRow(host: Host, home: RegistryHome, seq: number): Promise<AuditRow> {
  return registryIo(home, "read", async () => {
    for (const part of await auditParts(host.files, home)) {
      if (lastSeqOf(part) < seq) continue;
      const text = new TextDecoder().decode(await host.files.readBytes(part));
      // The number stands first in a row, so that most lines need no parsing.
      const line = text.split("\n").find((one) => one.startsWith(`{"seq":${seq},`));
      const row = line === undefined ? undefined : parseRow(line);
      if (row !== undefined) return row;
    }
    const { seq: last } = await readAuditHead(host.files, home);
    throw new GumError("USAGE", `The audit log has no row ${seq}.`, {
      hint: last === 0 ? "it has no rows yet" : `its last row is ${last}; see \`gum audit tail\``,
    });
  });
}

/** The last row of a part that was set aside; the part that is being written has no last one yet. */
function lastSeqOf(part: string): number {
  const digits = /^audit\.(\d{12})\.jsonl$/.exec(basename(part))?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}
