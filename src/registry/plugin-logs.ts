// The last words of each plugin: what it wrote to stderr in its last session that wrote anything. A cache, so that it
// may be lost; private, since a plugin's log is its user's affair.
import { Buffer } from "node:buffer";
import { join } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";

const maxBytes = 64 * 1024;

/** What is kept of a plugin's stderr. */
export interface PluginLog {
  /** When it was kept. */
  readonly at: string;
  readonly text: string;
}

/** Where the stderr of a plugin is kept. */
export function pluginLogPath({ cacheDir }: Profile, plugin: string): string {
  return join(cacheDir, "logs", `${plugin}.log`);
}

/** Keeps the end of a text in the place of what was kept before; a folder that cannot be written costs the log alone. */
export async function keepPluginLog(
  { files, log }: Pick<Host, "files" | "log">,
  profile: Profile,
  plugin: string,
  text: string,
): Promise<void> {
  try {
    await files.mkdir(join(profile.cacheDir, "logs"), { mode: 0o700, recursive: true });
    await files.replace(pluginLogPath(profile, plugin), lastBytes(text), { mode: 0o600 });
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "EIO")) throw error;
    log.debug(`the log of ${plugin} is not kept: ${error instanceof Error ? error.message : "unknown"}`);
  }
}

/** What is kept of a plugin's stderr, if anything is. */
export async function readPluginLog(
  { files }: Pick<Host, "files">,
  profile: Profile,
  plugin: string,
): Promise<PluginLog | undefined> {
  const path = pluginLogPath(profile, plugin);
  try {
    const text = await files.readText(path, { maxBytes, noFollow: true });
    const { mtimeNs } = await files.lstat(path);
    return { at: new Date(Number(mtimeNs / 1_000_000n)).toISOString(), text };
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** The end of a text that fits, from the start of a line where there is one. */
function lastBytes(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= maxBytes) return text;
  const tail = bytes.subarray(bytes.length - maxBytes);
  const line = tail.indexOf(10) + 1;
  const start = line > 0 && line < tail.length ? line : wholeCharacter(tail);
  return tail.subarray(start).toString("utf8");
}

function wholeCharacter(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, at);
}
