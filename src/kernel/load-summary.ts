// W23: what a process loaded, and what it left out.
import type { LockRow, Registry } from "../model/registry.ts";
import type { Snapshot } from "../registry/snapshot.ts";

export interface LoadSummary {
  readonly loaded: readonly {
    readonly name: string;
    readonly version: string;
    readonly tools: number;
    readonly resources: number;
    readonly prompts: number;
    readonly path: string;
  }[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly failed: readonly { readonly name: string; readonly error: string }[];
  readonly timings: {
    readonly totalMs: number;
    readonly validationMs: number;
    readonly importMs: number;
    readonly reconcileMs: number;
    readonly registerMs: number;
  };
  readonly stats: {
    readonly toolsRegistered: number;
    readonly resourcesRegistered: number;
    readonly promptsRegistered: number;
    readonly invalidTools: number;
    readonly warnings: number;
  };
}

/** How long the parts of loading took, in milliseconds. */
export interface LoadTimes {
  /** Reading the registry and activating what may be. */
  readonly validationMs: number;
  /** Taking the snapshot. */
  readonly reconcileMs: number;
  /** Making the search index. */
  readonly registerMs: number;
}

/** The summary of a server's start. Plugins are started when they are first called, so nothing is imported yet. */
export function loadSummary(registry: Registry, snapshot: Snapshot, times: LoadTimes): LoadSummary {
  const { lock, state, catalog } = registry;
  const toolsOf = (name: string): number =>
    catalog.variants.filter((variant) => variant.owner_plugin === name).length;
  const active = lock.plugins.filter((row) => snapshot.active.has(row.name));
  const loaded = active.map((row) => ({
    name: row.name,
    version: row.version,
    tools: toolsOf(row.name),
    ...declaredBeside(row),
    path: row.install_root,
  }));
  const skipped = lock.plugins
    .filter((row) => !snapshot.active.has(row.name))
    .map(({ name }) => {
      const row = state.plugins.find((one) => one.name === name);
      return { name, reason: row?.reason ?? row?.status ?? "no state" };
    });
  const sum = (key: "tools" | "resources" | "prompts"): number =>
    loaded.reduce((total, row) => total + row[key], 0);
  const round = (ms: number): number => Math.round(ms * 1000) / 1000;
  const { validationMs, reconcileMs, registerMs } = times;
  return {
    loaded,
    skipped,
    failed: [],
    timings: {
      totalMs: round(validationMs + reconcileMs + registerMs),
      validationMs: round(validationMs),
      importMs: 0,
      reconcileMs: round(reconcileMs),
      registerMs: round(registerMs),
    },
    stats: {
      toolsRegistered: sum("tools"),
      resourcesRegistered: sum("resources"),
      promptsRegistered: sum("prompts"),
      invalidTools: 0,
      warnings: 0,
    },
  };
}

/** ES modules declare resources and prompts in their manifest; other plugins say so when they run. */
function declaredBeside({ plugin }: LockRow): { readonly resources: number; readonly prompts: number } {
  const declared = plugin.esm?.declared;
  return { resources: declared?.resources.length ?? 0, prompts: declared?.prompts.length ?? 0 };
}
