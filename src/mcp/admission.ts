// S8: how much may be under way in one process, counted in requests and in the bytes that they hold.
import type { Hub } from "./hub.ts";

const maxRequests = 4096;
const maxBytes = 256 << 20;
/** What a request costs beside its parameters. */
const baseBytes = 2048;

const held = new WeakMap<Hub, { requests: number; bytes: number }>();

/** A place for one request, or undefined when there is none. */
export function admit(hub: Hub, params: unknown): { leave(): void } | undefined {
  const now = held.get(hub) ?? { requests: 0, bytes: 0 };
  held.set(hub, now);
  const bytes = baseBytes + sizeOf(params);
  if (now.requests >= maxRequests || now.bytes + bytes > maxBytes) return undefined;
  now.requests++;
  now.bytes += bytes;
  return {
    leave() {
      now.requests--;
      now.bytes -= bytes;
    },
  };
}

/** Roughly what a JSON value takes; exact enough to keep a flood out. */
function sizeOf(value: unknown): number {
  let bytes = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next === "string") bytes += 2 * next.length;
    else if (typeof next === "object" && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        bytes += 16 + key.length;
        if (inner !== undefined) open.push(inner);
      }
    } else bytes += 8;
  }
  return bytes;
}
