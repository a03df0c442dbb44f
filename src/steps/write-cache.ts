import { isErrno } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { remember } from "../registry/call-cache.ts";

/** Remembers the answer for as long as the plugin's cache_ttl says. */
export const writeCache = defineStep({
  name: "write-cache",
  summary: "Remember the answer to a read.",
  needs: ["profile", "cached", "payload", "resultChecked"],
  gives: [],
  codes: [],
  async run({ profile, cached, payload }, { host, note, warn }) {
    if (cached.use !== "miss") return {};
    try {
      const kept = await remember(host, profile, cached.key, payload);
      note(kept ? `for ${cached.ttlMs / 1000} s` : "too large to be remembered");
    } catch (error) {
      if (!isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "EIO")) throw error;
      warn({ message: "The answer was not remembered: the cache folder cannot be written." });
    }
    return {};
  },
});
