import { GumError } from "../base/errors.ts";
import type { Registry, StateRow } from "../model/registry.ts";
import { appendAudit } from "../registry/audit.ts";
import { trustFaults, unquarantine } from "../registry/backoff.ts";
import { publish } from "../registry/generations.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { statusOf } from "../registry/rows.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import type { UnquarantineAnswer } from "./answers-canary.ts";
import type { Kernel } from "./kernel.ts";

/** What the plugin is quarantined for. */
export interface QuarantineView {
  readonly quarantined: boolean;
  readonly code: string | null;
  readonly reason: string | null;
  /** C9: it was not the plugin that was trusted, so that lifting it takes an explicit yes. */
  readonly needsYes: boolean;
}

/** Why a plugin is quarantined, for whoever asks before lifting it. */
export async function quarantineOf(kernel: Kernel, id: string): Promise<QuarantineView> {
  return viewOf(rowOf(await readRegistry(kernel.host, kernel.profile), id));
}

/** Lifts a quarantine without a run; one that stands for a breach of trust only with a yes (C9, C10). */
export async function liftQuarantine(
  kernel: Kernel,
  id: string,
  { yes }: { readonly yes: boolean },
): Promise<UnquarantineAnswer> {
  const { host, profile, signal } = kernel;
  let before = viewOf(rowOf(await readRegistry(host, profile), id));
  const { registry, generation, changed } = await publish(
    host,
    profile,
    (current) => {
      before = viewOf(rowOf(current, id));
      if (before.needsYes && !yes) throw unconfirmed(id, before);
      return unquarantine(current, id);
    },
    { command: `plugin unquarantine ${id}`, signal },
  );
  if (changed) {
    await appendAudit(host, profile, {
      event: "plugin.unquarantine",
      outcome: "ok",
      profile: profile.name,
      plugin: id,
      generation,
      details: { lifted: before.code, yes },
    });
  }
  return {
    ok: true,
    plugin: id,
    changed,
    lifted: changed ? before.code : null,
    status: statusOf(rowOf(registry, id)),
    generation,
  };
}

function rowOf(registry: Registry, id: string): StateRow {
  findPlugin(registry, id);
  const row = registry.state.plugins.find(({ name }) => name === id);
  if (row === undefined) throw new GumError("REGISTRY_IO", `The registry has no state of plugin "${id}".`);
  return row;
}

function viewOf({ quarantined, last_error_code, reason }: StateRow): QuarantineView {
  const needsYes = quarantined && last_error_code !== null && trustFaults.has(last_error_code);
  return { quarantined, code: last_error_code, reason, needsYes };
}

function unconfirmed(id: string, { code, reason }: QuarantineView): GumError {
  return new GumError(
    "REQUIRES_CONFIRMATION",
    `The plugin "${id}" is not the one that was trusted (${code}), and nobody confirmed that it may run again.`,
    { hint: `add --yes: \`gum plugin unquarantine ${id} --yes\``, details: { code, reason } },
  );
}
