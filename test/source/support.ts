import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import type { UnpackLimits } from "../../src/source/limits.ts";
import { unpackArchive } from "../../src/source/unpack.ts";
import { picture, refusal, tempFolder, testHost } from "../registry/support.ts";

/** What an archive unpacks to: each path with its mode and content, and which folder the plugin is in. */
export async function unpacked(archive: Uint8Array, limits?: UnpackLimits, host: Host = testHost()) {
  using folder = tempFolder();
  const { path, target } = placed(folder.path, archive);
  const { signal } = new AbortController();
  const result = await unpackArchive(host, { archive: path, target, limits, signal });
  return {
    tree: picture(target),
    folder: result.folder.slice(target.length),
    entries: result.entries,
    bytes: result.bytes,
  };
}

/** The sentence with which an archive is refused; nothing may have been written outside its target. */
export async function refused(archive: Uint8Array, limits?: UnpackLimits): Promise<string> {
  using folder = tempFolder();
  const { path, target } = placed(folder.path, archive);
  const { signal } = new AbortController();
  const { code, message } = await refusal(() =>
    unpackArchive(testHost(), { archive: path, target, limits, signal }),
  );
  const stray = readdirSync(folder.path).filter((name) => !["archive", "target"].includes(name));
  if (stray.length > 0 || existsSync("/tmp/gum-escaped")) throw new Error(`Written outside: ${stray}`);
  return `${code}: ${message}`;
}

function placed(folder: string, archive: Uint8Array): { path: string; target: string } {
  const path = join(folder, "archive");
  writeFileSync(path, archive);
  return { path, target: join(folder, "target") };
}
