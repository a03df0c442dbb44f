import { join } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { debug, foldersOf, namesIn, type RegistryHome } from "./folders.ts";

/** A seal that was written and not yet renamed; a plugin's folder holds no other files of this name. */
const unfinished = /^[0-9a-f]{12}-[0-9a-f]{8}\.seal\.[0-9a-f]{8}\.new$/;
/** Writing one takes milliseconds, and whoever writes it need not hold the install lock. */
const surelyLeftMs = 60_000;

/** Removes seals that a killed gum was about to put in place. */
export async function sweepSeals(host: Host, home: RegistryHome): Promise<void> {
  const { plugins } = foldersOf(home);
  for (const plugin of await namesIn(host.files, plugins)) {
    for (const name of await namesIn(host.files, join(plugins, plugin))) {
      if (unfinished.test(name)) await removeIfOld(host, home, join(plugins, plugin, name));
    }
  }
}

async function removeIfOld(host: Host, home: RegistryHome, path: string): Promise<void> {
  try {
    const { kind, mtimeNs } = await host.files.lstat(path);
    if (kind !== "file" || host.clock.now() - Number(mtimeNs / 1_000_000n) < surelyLeftMs) return;
    await host.files.unlink(path);
    debug(host, home, "an unfinished seal was removed");
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
}
