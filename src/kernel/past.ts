import { appendAudit } from "../registry/audit.ts";
import { collectGarbage } from "../registry/gc.ts";
import { history } from "../registry/history.ts";
import type { GcAnswer, HistoryView, RollbackAnswer } from "./answers-trust.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** The kept generations in which lock or catalog changed, newest first. */
export async function listHistory({ host, profile }: Kernel): Promise<HistoryView[]> {
  return history(host, profile);
}

/** Publishes the plugins of an earlier generation again; without a number, of the one before the last change. */
export async function rollBack(kernel: Kernel, to: number | undefined): Promise<RollbackAnswer> {
  const { state, record } = await run(kernel, "rollback", {
    profile: kernel.profile,
    rollbackTo: to ?? null,
  });
  const target = given(state, "target");
  return {
    ok: true,
    to: target.to,
    generation: given(state, "generation"),
    plugins: target.registry.lock.plugins.map(({ name, version }) => ({ id: name, version })),
    warnings: record.warnings,
  };
}

/** Removes install roots and schemas that no kept generation names and no running server holds. */
export async function collectUnused({ host, profile, signal }: Kernel): Promise<GcAnswer> {
  const { roots, schemas, inUse } = await collectGarbage(host, profile, { command: "plugin gc", signal });
  const removed = { roots: roots.length, schemas: schemas.length };
  if (removed.roots + removed.schemas > 0) {
    await appendAudit(host, profile, {
      event: "registry.gc",
      outcome: "ok",
      profile: profile.name,
      details: removed,
    });
  }
  return { ok: true, ...removed, in_use: inUse };
}
