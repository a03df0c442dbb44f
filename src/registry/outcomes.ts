// What a call's outcome means for its plugin's state. A registry generation is only published when a state row
// changes: counts that change no status are kept in the cache folder.
import { join } from "node:path/posix";
import type { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";
import type { StateRow } from "../model/registry.ts";
import { afterFailure, afterSuccess, beginAttempt, retryWindow, trustFaults } from "./backoff.ts";
import { publish } from "./generations.ts";
import { changeKeptFile, readKept } from "./kept-file.ts";
import { withState } from "./rows.ts";

/** So many timeouts in a row are a crash (C8). */
const timeoutsInARow = 3;

/** Takes the one attempt that the end of a backoff allows; PLUGIN_QUARANTINED when another process was first (C7). */
export async function claimAttempt(host: Host, profile: Profile, seen: StateRow): Promise<void> {
  if (!seen.quarantined) return;
  await changeRow(host, profile, seen, (row) => beginAttempt(row, host.clock.now()));
}

/** Writes down an end of the rest that a jump of the clock had moved too far away (C12). */
export async function correctWindow(host: Host, profile: Profile, seen: StateRow): Promise<void> {
  await changeRow(host, profile, seen, (row) => retryWindow(row, host.clock.now()).corrected ?? row);
}

/**
 * Counts a crash: the next step of the backoff, or a lasting quarantine. Calls that were under way together and met
 * the same crash count once.
 */
export async function recordCrash(
  host: Host,
  profile: Profile,
  seen: StateRow,
  error: GumError,
): Promise<StateRow | undefined> {
  const { name, installed_at, retry_count } = seen;
  const crash = JSON.stringify([
    profile.dataDir,
    name,
    installed_at,
    retry_count,
    trustFaults.has(error.code),
  ]);
  const counting = countedNow.get(host) ?? new Map<string, Promise<StateRow | undefined>>();
  countedNow.set(host, counting);
  const count = counting.get(crash) ?? countCrash(host, profile, seen, error);
  counting.set(crash, count);
  try {
    return await count;
  } finally {
    if (counting.get(crash) === count) counting.delete(crash);
  }
}

/** Crashes that are being counted; fifty calls that died with one process are one transaction. */
const countedNow = new WeakMap<Host, Map<string, Promise<StateRow | undefined>>>();

async function countCrash(
  host: Host,
  profile: Profile,
  seen: StateRow,
  { code, message }: GumError,
): Promise<StateRow | undefined> {
  await forgetTimeouts(host, profile, seen.name);
  const failure = { code, reason: message, now: host.clock.now() };
  return changeRow(host, profile, seen, (row) => {
    const counted = row.retry_count !== seen.retry_count;
    if (trustFaults.has(code)) return row.permanent_quarantine ? row : afterFailure(row, failure);
    return counted ? row : afterFailure(row, failure);
  });
}

/** Clears what earlier crashes left, when the plugin has answered; nothing is written when there is nothing to clear. */
export async function recordAnswer(host: Host, profile: Profile, seen: StateRow): Promise<boolean> {
  await forgetTimeouts(host, profile, seen.name);
  if (!seen.quarantined && seen.retry_count === 0) return false;
  const row = await changeRow(host, profile, seen, (current) =>
    current.retry_count === seen.retry_count ? afterSuccess(current) : current,
  );
  return row !== undefined;
}

/** Counts a call that timed out; true when it was the third in a row. */
export async function recordTimeout(host: Host, profile: Profile, seen: StateRow): Promise<boolean> {
  sawNone.get(host)?.delete(timeoutsPath(profile, seen.name));
  return changeKeptFile(host, profile, timeoutsPath(profile, seen.name), (text) => {
    const { count, installed_at } = readKept(text) ?? {};
    const before = typeof count === "number" && installed_at === seen.installed_at ? count : 0;
    const kept = { count: before + 1, installed_at: seen.installed_at };
    return { text: `${JSON.stringify(kept)}\n`, result: kept.count >= timeoutsInARow };
  });
}

/** When this process last saw that there is nothing to forget; a server need not look for every answer. */
const sawNone = new WeakMap<Host, Map<string, number>>();
const lookAgainMs = 1000;

async function forgetTimeouts(host: Host, profile: Profile, plugin: string): Promise<void> {
  const path = timeoutsPath(profile, plugin);
  const seen = sawNone.get(host) ?? new Map<string, number>();
  sawNone.set(host, seen);
  const now = host.clock.monotonic();
  if (now - (seen.get(path) ?? Number.NEGATIVE_INFINITY) < lookAgainMs) return;
  // Emptied and not removed: another call may hold the file and be about to count in it.
  if (await host.files.exists(path)) {
    await changeKeptFile(host, profile, path, (text) => ({
      ...(text === "" ? {} : { text: "" }),
      result: undefined,
    }));
  }
  seen.set(path, now);
}

/** Changes the plugin's row as one transaction; undefined when it stays, or when another install stands there now. */
async function changeRow(
  host: Host,
  profile: Profile,
  seen: StateRow,
  change: (row: StateRow) => StateRow,
): Promise<StateRow | undefined> {
  const { registry, changed } = await publish(
    host,
    profile,
    (current) => {
      const row = current.state.plugins.find(({ name }) => name === seen.name);
      return row === undefined || row.installed_at !== seen.installed_at
        ? current
        : withState(current, seen.name, change);
    },
    { command: `call ${seen.name}` },
  );
  return changed ? registry.state.plugins.find(({ name }) => name === seen.name) : undefined;
}

function timeoutsPath(profile: Profile, plugin: string): string {
  return join(profile.cacheDir, "timeouts", `${plugin}.json`);
}
