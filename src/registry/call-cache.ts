// D7: remembered answers of read operations, one private file each in the cache folder. Nothing here is trusted:
// what cannot be read, is too old or lies in the future is no answer.
import { createHmac } from "node:crypto";
import { join } from "node:path/posix";
import { canonicalJson, jsonDigest } from "../base/digest.ts";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { ResolvedOp } from "../model/call.ts";
import type { Credentials } from "../model/credentials.ts";
import type { Profile } from "../model/profile.ts";
import type { Success } from "../model/session.ts";
import { namesIn } from "./folders.ts";
import { readKept } from "./kept-file.ts";

/** Larger answers are not remembered. */
const maxEntryBytes = 256 * 1024;
/** More entries than this, and the oldest half goes. */
const maxEntries = 1000;

export interface Remembered {
  readonly answer: Success;
  readonly storedAt: string;
}

/** The name under which the answer to these arguments is kept, for exactly this install and these credentials. */
export async function cacheKey(
  host: Host,
  profile: Profile,
  { variant, lock }: ResolvedOp,
  args: unknown,
  credentials: Credentials["env"],
): Promise<string> {
  return jsonDigest({
    variant: variant.variant_id,
    version: lock.version,
    source: lock.source_sha256,
    args,
    credentials: await fingerprint(host, profile, lock.plugin, credentials),
  });
}

/** The remembered answer, when there is one that is not older than `ttlMs`. */
export async function recall(
  host: Host,
  profile: Profile,
  key: string,
  ttlMs: number,
): Promise<Remembered | undefined> {
  const text = await readOrUndefined(host, entryPath(profile, key), maxEntryBytes);
  const { stored_at, payload, text: said, content } = readKept(text ?? "") ?? {};
  if (typeof stored_at !== "string" || typeof payload !== "object" || payload === null) return undefined;
  const age = host.clock.now() - Date.parse(stored_at);
  if (!(age >= 0 && age < ttlMs)) return undefined;
  return {
    storedAt: stored_at,
    answer: {
      payload: { ...payload },
      ...(typeof said === "string" ? { text: said } : {}),
      ...(Array.isArray(content) ? { content } : {}),
    },
  };
}

/** Remembers an answer; false when it is too large for that. */
export async function remember(
  host: Host,
  profile: Profile,
  key: string,
  { payload, text, content }: Success,
): Promise<boolean> {
  const stored_at = new Date(host.clock.now()).toISOString();
  const line = `${JSON.stringify({ stored_at, payload, text, content })}\n`;
  if (new TextEncoder().encode(line).length > maxEntryBytes) return false;
  const folder = cacheFolder(profile);
  await host.files.mkdir(folder, { mode: 0o700, recursive: true });
  await makeRoom(host, folder);
  await host.files.replace(entryPath(profile, key), line, { mode: 0o600 });
  return true;
}

async function makeRoom(host: Host, folder: string): Promise<void> {
  const names = await namesIn(host.files, folder);
  if (names.length < maxEntries) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: await changedAt(host, join(folder, name)) })),
  );
  aged.sort((a, b) => (a.at < b.at ? -1 : 1));
  for (const { name } of aged.slice(0, Math.ceil(names.length / 2)))
    await host.files.removeTree(join(folder, name));
}

async function changedAt(host: Host, path: string): Promise<bigint> {
  try {
    return (await host.files.lstat(path)).mtimeNs;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return 0n; // another process made room first
    throw error;
  }
}

/** What the plugin's answers may depend on beside the arguments: the variables that it is given. */
async function fingerprint(
  host: Host,
  profile: Profile,
  plugin: ResolvedOp["lock"]["plugin"],
  credentials: Credentials["env"],
): Promise<string> {
  const names = [
    ...new Set([...plugin.needs_user_creds, ...plugin.env_allow, ...Object.keys(credentials)]),
  ].sort();
  const values = names.map((name) => [name, credentials[name] ?? host.env[name] ?? null]);
  if (values.every(([, value]) => value === null)) return "none";
  // Keyed, so that nobody who reads the folder can try out likely values.
  return createHmac("sha256", await readSalt(host, profile))
    .update(canonicalJson(values))
    .digest("hex");
}

async function readSalt(host: Host, profile: Profile): Promise<string> {
  const path = join(profile.cacheDir, "calls.salt");
  const known = await readOrUndefined(host, path, 64);
  if (known?.length === 64) return known;
  await host.files.mkdir(profile.cacheDir, { mode: 0o700, recursive: true });
  await host.files.replace(path, host.randomHex(64), { mode: 0o600 });
  return (await readOrUndefined(host, path, 64)) ?? host.randomHex(64);
}

async function readOrUndefined(host: Host, path: string, maxBytes: number): Promise<string | undefined> {
  try {
    return await host.files.readText(path, { maxBytes, noFollow: true });
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EFBIG", "ELOOP", "EACCES") || error instanceof TypeError)
      return undefined;
    throw error;
  }
}

function cacheFolder(profile: Profile): string {
  return join(profile.cacheDir, "calls");
}

function entryPath(profile: Profile, key: string): string {
  return join(cacheFolder(profile), `${key}.json`);
}
