// C15: a canary that changes no status leaves no generation; its result is kept in the cache folder.
import { join } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";
import type { StateRow } from "../model/registry.ts";
import type { KeptCanary } from "../model/trial.ts";
import { afterFailure, afterSuccess, trustFaults, withConfiguration } from "./backoff.ts";
import { registryIo } from "./folders.ts";
import { readKept } from "./kept-file.ts";

/** Where the last canary of a plugin is kept. */
export function canaryPath(profile: Profile, plugin: string): string {
  return join(profile.cacheDir, "canaries", `${plugin}.json`);
}

/** Keeps the result of a canary, in the place of the one before. */
export async function keepCanary(host: Host, profile: Profile, kept: KeptCanary): Promise<void> {
  await registryIo(profile, "write a file beside", async () => {
    await host.files.mkdir(join(profile.cacheDir, "canaries"), { mode: 0o700, recursive: true });
    await host.files.replace(canaryPath(profile, kept.plugin), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  });
}

/** The last canary of a plugin, if one is kept and can be read. */
export async function readCanary(
  host: Host,
  profile: Profile,
  plugin: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return readKept(await host.files.readText(canaryPath(profile, plugin), { maxBytes: 1 << 16 }));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** How a canary ended, as far as the plugin's state is concerned. */
export type CanaryEnd =
  /** `whole`: all that the plugin's canary asks for was tried; `live`: with the call, where it has one. */
  | { readonly ok: true; readonly whole: boolean; readonly live: boolean; readonly latencyMs: number }
  | { readonly ok: false; readonly code: string; readonly reason: string };

/** The row after a canary; the same row when no status changes (C5, C6, C9, C15). */
export function afterCanary(row: StateRow, end: CanaryEnd, now: number): StateRow {
  const at = new Date(now).toISOString();
  if (end.ok) {
    const cleared = row.quarantined && end.whole ? afterSuccess(row) : row;
    const next = end.live && cleared.needs_configuration ? withConfiguration(cleared, false) : cleared;
    const last_canary = { at, ok: true, latency_ms: Math.round(end.latencyMs), code: null };
    return next === row ? row : { ...next, last_canary };
  }
  const { code, reason } = end;
  const known = row.quarantined && row.last_error_code === code;
  // What must not be forgotten is that the plugin was not the one that was trusted.
  const graver = row.permanent_quarantine && !trustFaults.has(code);
  if (known || graver) return row;
  return { ...afterFailure(row, { code, reason, now }), last_canary: { at, ok: false, latency_ms: 0, code } };
}

/** The code that a failed canary quarantines with; undefined when the failure is not the plugin's. */
export function quarantineCode(code: string): string | undefined {
  if (trustFaults.has(code)) return code;
  return code === "CANARY_FAILED" || code === "PLUGIN_TOOLS_MISMATCH" ? "CANARY_FAILED" : undefined;
}
