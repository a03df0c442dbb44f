// D7: a token bucket per plugin and profile, shared by every process through one small file in the cache folder.
import { join } from "node:path/posix";
import type { Host } from "../host/host.ts";
import type { Plugin } from "../model/plugin.ts";
import type { Profile } from "../model/profile.ts";
import { changeKeptFile, readKept } from "./kept-file.ts";

export type RatePolicy = NonNullable<Plugin["rate_policy"]>;

/** What is left of a bucket, and when that was so. */
export interface Bucket {
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Takes one call from the plugin's bucket; the milliseconds to wait when there is none left. */
export async function takeFromBucket(
  host: Host,
  profile: Profile,
  plugin: string,
  policy: RatePolicy,
): Promise<number | undefined> {
  const path = join(profile.cacheDir, "rate", `${plugin}.json`);
  return changeKeptFile(host, profile, path, (text) => {
    const { bucket, waitMs } = draw(readBucket(text), policy, host.clock.now());
    return { text: `${JSON.stringify(bucket)}\n`, result: waitMs };
  });
}

/** The bucket after one more call, or the time until there can be one. An unknown bucket is full. */
export function draw(
  known: Bucket | undefined,
  policy: RatePolicy,
  now: number,
): { readonly bucket: Bucket; readonly waitMs: number | undefined } {
  const perMs = policy.per_minute / 60_000;
  // A clock that went back adds nothing and takes nothing; one that went ahead fills the bucket, never beyond its size.
  const passed = known === undefined ? 0 : Math.max(0, now - known.at);
  const tokens = known === undefined ? policy.burst : Math.min(policy.burst, known.tokens + passed * perMs);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, at: now }, waitMs: undefined };
  return { bucket: { tokens, at: now }, waitMs: Math.max(1, Math.ceil((1 - tokens) / perMs)) };
}

function readBucket(text: string): Bucket | undefined {
  const { tokens, at } = readKept(text) ?? {};
  if (typeof tokens !== "number" || typeof at !== "number" || !Number.isFinite(at)) return undefined;
  return tokens >= 0 ? { tokens, at } : undefined;
}
