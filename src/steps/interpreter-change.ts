// T9: an interpreter belongs to the system, and the system upgrades it. That is no fault of the plugin: its first start
// with the new one is its handshake canary, and the new one is recorded.
import { join } from "node:path/posix";
import { sha256 } from "../base/digest.ts";
import { GumError, isErrno } from "../base/errors.ts";
import type { FileFacts, Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";
import type { Interpreter, LockRow } from "../model/registry.ts";
import type { Session } from "../model/session.ts";
import { appendAudit } from "../registry/audit.ts";
import { publish } from "../registry/generations.ts";
import { changeKeptFile, readKept } from "../registry/kept-file.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { inspectInterpreter } from "../sandbox/interpreters.ts";
import { toolsDigest } from "../wire/tool-digest.ts";

/** The interpreter as it is now, when it is another than the recorded one; undefined when it is the same or gone. */
export async function changedInterpreter(
  host: Host,
  profile: Profile,
  recorded: Interpreter,
): Promise<Interpreter | undefined> {
  const digest = await currentDigest(host, profile, recorded.path);
  if (digest === undefined || digest === recorded.sha256) return undefined;
  const { version } = await inspectInterpreter(host, recorded.path);
  return { path: recorded.path, version, sha256: digest };
}

/** Which installed plugin was started. */
export interface StartedPlugin {
  readonly name: string;
  readonly installRoot: string;
}

/** Records the new interpreter once the plugin has listed its pinned tools with it; other tools are the caller's affair. */
export async function recordInterpreter(
  host: Host,
  profile: Profile,
  started: StartedPlugin,
  now: Interpreter,
  session: Session,
): Promise<void> {
  const row = rowOf((await readRegistry(host, profile)).lock.plugins, started);
  if (row === undefined || row.interpreter === null) return;
  const { tools } = await session.describe();
  if (row.tools_sha256 !== null && toolsDigest(tools) !== row.tools_sha256) return;
  try {
    const { generation, changed } = await publish(
      host,
      profile,
      (current) => {
        const plugins = current.lock.plugins;
        const old = rowOf(plugins, started);
        if (old === undefined || old.interpreter?.sha256 === now.sha256) return current;
        const next = plugins.map((one) => (one === old ? { ...one, interpreter: now } : one));
        return { ...current, lock: { ...current.lock, plugins: next } };
      },
      { command: `interpreter of ${started.name}` },
    );
    if (changed) await writeDown(host, profile, row, now, generation);
  } catch (error) {
    // Where the data folder cannot be written, or is held, the next start will find the same change again.
    if (!(error instanceof GumError) || !["REGISTRY_IO", "REGISTRY_LOCKED"].includes(error.code)) throw error;
    host.log.warn(`the new interpreter of "${started.name}" could not be recorded: ${error.message}`);
  }
}

function rowOf(rows: readonly LockRow[], { name, installRoot }: StartedPlugin): LockRow | undefined {
  return rows.find((row) => row.name === name && row.install_root === installRoot);
}

async function writeDown(
  host: Host,
  profile: Profile,
  row: LockRow,
  now: Interpreter,
  generation: number,
): Promise<void> {
  await appendAudit(host, profile, {
    event: "interpreter.changed",
    outcome: "ok",
    profile: profile.name,
    plugin: row.name,
    generation,
    details: {
      path: now.path,
      from_version: row.interpreter?.version ?? null,
      to_version: now.version,
      from_sha256: row.interpreter?.sha256 ?? null,
      to_sha256: now.sha256,
    },
  });
}

/** A file that changed within this time of being hashed may have changed again unseen. */
const settledNs = 2_000_000_000n;

/** The interpreter's digest. Hashing a runtime takes longer than starting it, so a file that looks untouched is not. */
async function currentDigest(host: Host, profile: Profile, path: string): Promise<string | undefined> {
  try {
    const real = await host.files.realpath(path);
    const facts = looksOf(await host.files.stat(real));
    const file = join(profile.cacheDir, "interpreters", `${sha256(real).slice(0, 16)}.json`);
    const known = (await host.files.exists(file))
      ? readKept(await host.files.readText(file, { maxBytes: 4096 }))
      : undefined;
    if (known?.looks === facts && typeof known.sha256 === "string") return known.sha256;
    return await hashed(host, profile, { real, file, facts });
  } catch (error) {
    // The launch says that it is gone, in better words.
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) return undefined;
    throw error;
  }
}

async function hashed(
  host: Host,
  profile: Profile,
  { real, file, facts }: { readonly real: string; readonly file: string; readonly facts: string },
): Promise<string> {
  const opened = await host.files.open(real, "read");
  try {
    const digest = await opened.sha256();
    const after = await opened.stat();
    const settled = BigInt(host.clock.now()) * 1_000_000n - after.ctimeNs > settledNs;
    if (settled && looksOf(after) === facts) {
      const text = `${JSON.stringify({ path: real, looks: facts, sha256: digest })}\n`;
      await changeKeptFile(host, profile, file, () => ({ text, result: undefined })).catch(passOver);
    }
    return digest;
  } finally {
    await opened.close();
  }
}

/** A cache that cannot be written costs time alone. */
function passOver(error: unknown): void {
  if (!(error instanceof GumError)) throw error;
}

function looksOf({ size, mtimeNs, ctimeNs, ino, dev }: FileFacts): string {
  return [size, mtimeNs, ctimeNs, ino, dev].join(" ");
}
