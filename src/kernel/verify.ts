import { basename, resolve } from "node:path/posix";
import { errorCodes } from "../base/error-codes.ts";
import { asGumError, GumError, isErrno, type Warning } from "../base/errors.ts";
import type { VerifyDepth } from "../model/install.ts";
import type { LockRow } from "../model/registry.ts";
import { emptyRegistry } from "../registry/generation-text.ts";
import { readCurrentGeneration } from "../registry/read-registry.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import { readDetached } from "../trust/detached.ts";
import { judgeDetached } from "../trust/judge.ts";
import { readTrust } from "../trust/key-store.ts";
import type { VerifiedPlugin, VerifyAnswer, VerifyFileAnswer } from "./answers-trust.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Proves that one installed plugin, or every one, is what was installed (T7, T8). */
export async function verifyPlugins(
  kernel: Kernel,
  id: string | undefined,
  depth: VerifyDepth,
): Promise<VerifyAnswer> {
  const generation = await readCurrentGeneration(kernel.host, kernel.profile);
  const registry = generation?.registry ?? emptyRegistry();
  const altered = generation?.altered ?? [];
  const rows = id === undefined ? registry.lock.plugins : [findPlugin(registry, id)];
  const plugins: VerifiedPlugin[] = [];
  const warnings: Warning[] = [];
  for (const row of rows) plugins.push(await verifyPlugin(kernel, row, depth, warnings));
  return {
    ok: altered.length === 0 && plugins.every(({ ok }) => ok),
    deep: depth === "deep",
    registry: { generation: registry.state.install_generation, altered },
    plugins,
    warnings,
  };
}

async function verifyPlugin(
  kernel: Kernel,
  row: LockRow,
  depth: VerifyDepth,
  warnings: Warning[],
): Promise<VerifiedPlugin> {
  const about = { id: row.name, version: row.version, signature: row.signature };
  try {
    const input = { profile: kernel.profile, pluginId: row.name, depth };
    const onWarning = (warning: Warning): void => void warnings.push(warning);
    const { state } = await run(kernel, "verify", input, { onWarning });
    const { entries, hashed } = given(state, "verification");
    return { ...about, ok: true, code: null, message: null, entries, hashed, details: null };
  } catch (thrown) {
    const error = asGumError(thrown);
    // Only what was found out about the plugin is an answer; a fault of the machine ends the command.
    if (errorCodes[error.code].exit !== "trust") throw error;
    const { code, message, info } = error;
    const details = info.details ?? null;
    return { ...about, ok: false, code, message, entries: null, hashed: null, details };
  }
}

/** Digest and signature of an archive; nothing in it is unpacked or installed. */
export async function verifyFile(kernel: Kernel, name: string): Promise<VerifyFileAnswer> {
  const { host, profile } = kernel;
  const path = resolve(host.machine.cwd, name);
  const { sha256, size } = await digestOf(kernel, path);
  const trust = await readTrust(host, profile.configDir);
  const verdict = judgeDetached(await readDetached(host.files, path), `sha256:${sha256}`, trust);
  const { state, keyId, reason } = verdict;
  const accepted = profile.requireSignatures ? ["verified"] : ["verified", "unsigned", "untrusted"];
  return {
    ok: accepted.includes(state),
    file: path,
    sha256,
    size,
    signature: { state, key_id: keyId, reason },
  };
}

async function digestOf({ host }: Kernel, path: string): Promise<{ sha256: string; size: number }> {
  const name = basename(path);
  try {
    const file = await host.files.open(path, "read");
    try {
      const { kind, size } = await file.stat();
      if (kind !== "file") {
        const hint = "`gum plugin validate` checks a folder";
        throw new GumError("PLUGIN_FETCH_FAILED", `${name} is not a file.`, { hint });
      }
      return { sha256: await file.sha256(), size };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "EISDIR")) throw error;
    throw new GumError("PLUGIN_FETCH_FAILED", `The file ${name} is not there or cannot be read.`, {
      hint: "name an installed plugin, or an archive by its path",
      cause: error,
    });
  }
}
