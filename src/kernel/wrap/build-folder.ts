import { dirname, isAbsolute, join, normalize } from "node:path/posix";
import { GumError } from "../../base/errors.ts";
import type { Host } from "../../host/host.ts";
import type { PackageLimits } from "../../model/profile.ts";
import type { ServerCopy, ServerPlan } from "./server-plan.ts";

/** How much was copied. */
export interface BuiltFolder {
  readonly files: number;
  readonly bytes: number;
}

const blockBytes = 1 << 20;

interface Copying {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly block: Uint8Array;
  readonly limits: PackageLimits;
  files: number;
  bytes: number;
}

/** Makes the plugin's folder, without its manifest, in a folder that is there and empty. */
export async function buildFolder(
  host: Host,
  plan: ServerPlan,
  folder: string,
  limits: PackageLimits,
  signal: AbortSignal,
): Promise<BuiltFolder> {
  const copying: Copying = { host, signal, block: new Uint8Array(blockBytes), limits, files: 0, bytes: 0 };
  for (const copy of plan.copies) {
    const to = join(folder, copy.to);
    const { kind } = await host.files.stat(copy.from);
    if (kind === "file") await copyFile(copying, copy.from, to);
    else await copyFolder(copying, copy, copy.from, to);
  }
  for (const { path, target } of plan.links) {
    await host.files.mkdir(dirname(join(folder, path)), { mode: 0o755, recursive: true });
    await host.files.symlink(target, join(folder, path));
  }
  for (const { path, text } of plan.written) {
    await host.files.mkdir(dirname(join(folder, path)), { mode: 0o755, recursive: true });
    await host.files.writeNew(join(folder, path), text, { mode: 0o755 });
    copying.files++;
  }
  return { files: copying.files, bytes: copying.bytes };
}

async function copyFolder(copying: Copying, copy: ServerCopy, from: string, to: string): Promise<void> {
  const { files } = copying.host;
  await files.mkdir(to, { mode: 0o755, recursive: true });
  for (const name of await files.list(from)) {
    if (copy.without.includes(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    const { kind } = await files.lstat(source);
    if (kind === "folder") await copyFolder(copying, copy, source, target);
    else if (kind === "file") await copyFile(copying, source, target);
    else if (kind === "link") await copyLink(copying, copy, source, target);
  }
}

/** A link that stays inside what is copied is kept; another one would be refused at install. */
async function copyLink(copying: Copying, { from }: ServerCopy, source: string, to: string): Promise<void> {
  const { files } = copying.host;
  const target = await files.readlink(source);
  if (isAbsolute(target) || !normalize(join(dirname(source), target)).startsWith(`${from}/`)) return;
  await files.symlink(target, to);
}

async function copyFile(copying: Copying, from: string, to: string): Promise<void> {
  const { host, signal, block, limits } = copying;
  signal.throwIfAborted();
  await host.files.mkdir(dirname(to), { mode: 0o755, recursive: true });
  const source = await host.files.open(from, "read");
  try {
    const { mode } = await source.stat();
    const target = await host.files.open(to, "write-new");
    try {
      for (let at = 0; ; ) {
        const count = await source.read(block, at);
        if (count === 0) break;
        at += count;
        copying.bytes += count;
        if (copying.bytes > limits.maxBytes) throw tooMuch(`${limits.maxBytes} bytes`);
        await target.write(block.subarray(0, count));
      }
      await target.chmod((mode & 0o111) === 0 ? 0o644 : 0o755);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  copying.files++;
  if (copying.files > limits.maxFiles) throw tooMuch(`${limits.maxFiles} files`);
}

function tooMuch(limit: string): GumError {
  return new GumError("PLUGIN_ARCHIVE_UNSAFE", `The server has more than ${limit}, and no plugin may.`);
}
