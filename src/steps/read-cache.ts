import { isErrno } from "../base/errors.ts";
import { mayCache } from "../model/call-runtime.ts";
import { defineStep } from "../pipeline/step.ts";
import { cacheKey, recall } from "../registry/call-cache.ts";

/** A remembered answer to the same read stands in for the plugin, which is then neither verified nor started. */
export const readCache = defineStep({
  name: "read-cache",
  summary: "Look for a remembered answer to the same read.",
  needs: ["profile", "resolved", "request", "callable", "confirmed", "argsValid"],
  gives: ["cached"],
  codes: [],
  async run({ profile, resolved, request }, { host, note, warn }) {
    const { variant, lock } = resolved;
    const ttl = lock.plugin.cache_ttl;
    if (!mayCache(request, variant.risk_class, ttl)) return { cached: { use: "off" } };
    const ttlMs = ttl * 1000;
    try {
      const key = await cacheKey(host, profile, resolved, request.args);
      const found = await recall(host, profile, key, ttlMs);
      note(found === undefined ? "miss" : `hit, stored at ${found.storedAt}`);
      return { cached: found === undefined ? { use: "miss", key, ttlMs } : { use: "hit", ...found } };
    } catch (error) {
      if (!isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EIO")) throw error;
      warn({ message: "The cache of answers cannot be used: its folder cannot be written." });
      return { cached: { use: "off" } };
    }
  },
});
