import type { Host } from "../host/host.ts";
import type { Plumbing } from "../model/session.ts";

export interface LadderWaits {
  /** After stdin was closed. */
  readonly stdinMs: number;
  /** After SIGTERM. */
  readonly terminateMs: number;
  /** Aborted when gum itself is ending: the first wait is then no longer than the default one. */
  readonly hurry?: AbortSignal | undefined;
}

export const defaultWaits: LadderWaits = { stdinMs: 2000, terminateMs: 2000 };

/** How long the exit of a killed process may take to be known. */
const reapMs = 2000;

/** Ends a plugin step by step (W4): close stdin, SIGTERM to the group, SIGKILL to all; its exit code is not judged. */
export async function climbDown(
  clock: Host["clock"],
  plumbing: Plumbing,
  waits: LadderWaits = defaultWaits,
): Promise<void> {
  closeStdin(plumbing);
  let gone = await endedInPeace(clock, plumbing, waits);
  if (!gone && plumbing.terminate !== undefined) {
    plumbing.terminate();
    gone = await endedWithin(clock, plumbing, waits.terminateMs);
  }
  // Also when the plugin itself has gone: what it started may still run.
  plumbing.end();
  if (!gone) await endedWithin(clock, plumbing, reapMs);
  releaseStreams(plumbing);
}

/** Ends a plugin that is beyond asking. */
export async function endNow(clock: Host["clock"], plumbing: Plumbing): Promise<void> {
  plumbing.end();
  await endedWithin(clock, plumbing, reapMs);
  releaseStreams(plumbing);
}

async function endedInPeace(
  clock: Host["clock"],
  plumbing: Plumbing,
  { stdinMs, hurry }: LadderWaits,
): Promise<boolean> {
  if (hurry === undefined) return endedWithin(clock, plumbing, stdinMs);
  if (!hurry.aborted && (await endedWithin(clock, plumbing, stdinMs, hurry))) return true;
  if (!hurry.aborted) return false;
  return endedWithin(clock, plumbing, Math.min(stdinMs, defaultWaits.stdinMs));
}

/** True when the process ended within the time and before the signal. */
export async function endedWithin(
  clock: Host["clock"],
  plumbing: Plumbing,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const timer = clock.sleep(ms, either).then(
    () => false,
    () => false, // the process has ended, or nobody wants to wait any longer
  );
  try {
    return await Promise.race([plumbing.exited.then(() => true), timer]);
  } finally {
    stop.abort();
  }
}

function closeStdin({ stdin, stdout }: Plumbing): void {
  stdin.on("error", () => undefined); // the reader may have gone first
  // Whoever does not read would never see an end that waits behind unread data.
  if (stdin.writableLength > 0) stdin.destroy();
  else stdin.end();
  // Somebody blocked on a full pipe could not end.
  stdout.resume();
}

/** A descendant that escaped may hold the other ends; gum must not wait for it. */
function releaseStreams({ stdin, stdout, stderr }: Plumbing): void {
  for (const stream of [stdin, stdout, stderr]) {
    stream.on("error", () => undefined);
    stream.destroy();
  }
}
