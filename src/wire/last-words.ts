import type { Readable } from "node:stream";
import type { Host } from "../host/host.ts";

const drainMs = 200;

/** Waits a moment for the end of what a dying plugin has written: its stderr often says why. */
export async function lastWords(clock: Host["clock"], stream: Readable): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return;
  const stop = new AbortController();
  stream.once("end", () => stop.abort());
  stream.once("close", () => stop.abort());
  await clock.sleep(drainMs, stop.signal).catch(() => undefined); // whichever comes first
}
