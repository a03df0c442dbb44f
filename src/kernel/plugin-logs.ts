import { readPluginLog } from "../registry/plugin-logs.ts";
import { rememberedRegistry } from "../registry/remembered.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import type { Kernel } from "./kernel.ts";

/** The end of what a plugin wrote to stderr in its last session that wrote anything. */
export interface PluginLogAnswer {
  readonly plugin: string;
  /** When that session ended; null when nothing is kept. */
  readonly at: string | null;
  readonly lines: readonly string[];
}

/** The last lines that are kept of a plugin's stderr; its name must be that of an installed plugin. */
export async function pluginLogs(kernel: Kernel, id: string, lines: number): Promise<PluginLogAnswer> {
  const { host, profile } = kernel;
  const { name } = findPlugin(await rememberedRegistry(host, profile), id);
  const kept = await readPluginLog(host, profile, name);
  if (kept === undefined) return { plugin: name, at: null, lines: [] };
  const all = kept.text.replace(/\n$/, "").split("\n");
  return { plugin: name, at: kept.at, lines: all.slice(-lines) };
}
