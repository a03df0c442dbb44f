import { join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Kernel } from "./kernel.ts";

const maxBytes = 64 << 20;

/** The full result that a shaped one was made from, by its digest; kept in the cache folder for a while (D13). */
export async function readResult({ host, profile }: Kernel, hash: string): Promise<unknown> {
  if (/^[0-9a-f]{64}$/.test(hash)) {
    try {
      const path = join(profile.cacheDir, "results", `${hash}.json`);
      return JSON.parse(await host.files.readText(path, { maxBytes, noFollow: true }));
    } catch (error) {
      if (!(error instanceof SyntaxError) && !isErrno(error, "ENOENT", "ENOTDIR", "EFBIG", "ELOOP"))
        throw error;
    }
  }
  throw new GumError("RESOURCE_NOT_FOUND", `No full result "${hash.slice(0, 80)}" is kept.`, {
    hint: "call the operation again; full results are kept for seven days",
  });
}
