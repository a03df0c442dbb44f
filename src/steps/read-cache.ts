import { isErrno } from "../base/errors.ts";
import { mayCache } from "../model/call-runtime.ts";
import { credentialNeeds } from "../model/credentials.ts";
import { defineStep } from "../pipeline/step.ts";
import { cacheKey, recall } from "../registry/call-cache.ts";
import { findCredentials } from "./plugin-credentials.ts";

/** A remembered answer to the same read stands in for the plugin, which is then neither verified nor started. */
export const readCache = defineStep({
  name: "read-cache",
  summary: "Look for a remembered answer to the same read.",
  needs: ["profile", "resolved", "request", "callable", "confirmed", "argsValid"],
  gives: ["cached"],
  codes: [],
  async run({ profile, resolved, request }, { host, signal, note, warn }) {
    const { variant, lock } = resolved;
    const ttl = lock.plugin.cache_ttl;
    if (!mayCache(request, variant.risk_class, ttl)) return { cached: { use: "off" } };
    // Whose token a command prints is not to be seen from here, and one account's answers are not another's.
    if (credentialNeeds(lock.plugin).some(({ from }) => from === "command")) {
      note("not kept: its account is known to a command alone");
      return { cached: { use: "off" } };
    }
    const { env } = await findCredentials(host, profile, lock.plugin, signal);
    const ttlMs = ttl * 1000;
    try {
      const key = await cacheKey(host, profile, resolved, request.args, env);
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
