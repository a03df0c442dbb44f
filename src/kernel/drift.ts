import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import { gravestClass } from "../model/drift.ts";
import type { LockRow } from "../model/registry.ts";
import type { ListedTool } from "../model/session.ts";
import { verifyExecutable } from "../registry/executable.ts";
import { foldersOf } from "../registry/folders.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { checkSeal, sealFileOf } from "../registry/seal.ts";
import { findPlugin } from "../steps/load-plugin.ts";
import { driftOf, readPinnedTools } from "../steps/pins.ts";
import { findCredentials } from "../steps/plugin-credentials.ts";
import { prepareStart } from "../steps/start-plugin.ts";
import type { DiffAnswer } from "./answers-canary.ts";
import type { Kernel } from "./kernel.ts";

/** Starts an installed plugin, asks for its tools, and classes every difference from the pinned ones (T28, T31). */
export async function diffPlugin(kernel: Kernel, id: string): Promise<DiffAnswer> {
  const { host, profile } = kernel;
  const registry = await readRegistry(host, profile);
  const row = findPlugin(registry, id);
  const pinned = await readPinnedTools(host, profile, row);
  if (pinned === undefined) {
    throw new GumError(
      "UNSUPPORTED_CAPABILITY",
      `The tools of "${id}" were never pinned: it was not started yet.`,
      {
        hint: `run \`gum canary --plugin=${id}\` once it is configured`,
      },
    );
  }
  const running = await listTools(kernel, row);
  const changes = driftOf(registry, id, pinned, running);
  return {
    plugin: id,
    version: row.version,
    drift: changes.length > 0,
    class: gravestClass(changes) ?? null,
    changes,
    tools: { pinned: pinned.length, running: running.length },
  };
}

/** The tools of a plugin that was verified and started for this question alone. */
async function listTools({ host, profile, signal }: Kernel, row: LockRow): Promise<readonly ListedTool[]> {
  const verified = await verifyExecutable(host, row);
  try {
    const { install_root: root, install_tree_sha256: treeSha256 } = row;
    if (!row.linked) {
      await checkSeal(host, { plugin: row.name, root, sealFile: sealFileOf(root), treeSha256 }, signal);
    }
    const dataDir = join(foldersOf(profile).pluginData, row.name);
    await host.files.mkdir(dataDir, { mode: 0o700, recursive: true });
    const prepared = await prepareStart(host, profile, {
      plugin: row.plugin,
      installRoot: root,
      argv: row.argv_normalized,
      interpreter: row.interpreter,
      grants: row.granted_capabilities,
      dataDir,
      credentials: await findCredentials(host, profile, row.plugin, signal),
    });
    const session = await prepared.start({ verified, signal });
    try {
      return (await session.describe()).tools;
    } finally {
      await session.close();
    }
  } finally {
    await verified.close();
  }
}
