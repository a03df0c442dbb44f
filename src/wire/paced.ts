import type { Readable } from "node:stream";
import type { Host } from "../host/host.ts";

/** How long one stream may be worked on before timers and other streams get a turn. */
const sliceMs = 8;

/**
 * Hands every chunk of a stream to `take` and rests for a moment when that has cost too much. `take` gives the cost in
 * milliseconds when it is more than the time it took, as for bytes that are thrown away.
 */
export function readPaced(clock: Host["clock"], stream: Readable, take: (chunk: Uint8Array) => number): void {
  let spent = 0;
  stream.on("data", (chunk: Uint8Array) => {
    const start = clock.monotonic();
    const cost = take(chunk);
    spent += Math.max(cost, clock.monotonic() - start);
    if (spent < sliceMs) return;
    spent = 0;
    stream.pause();
    clock.sleep(1).then(() => stream.resume());
  });
}

/** The cost of bytes that nobody needs: 256 KiB fill a slice, so that a flood waits at its own pipe. */
export function wasteCost(bytes: number): number {
  return bytes / 32_768;
}
