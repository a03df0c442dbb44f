import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { GenerationChange, GenerationReferences } from "../model/generation.ts";
import type { Registry } from "../model/registry.ts";
import type { ResolvedSchema } from "../model/schema-bundle.ts";
import type { RegistryChange, Transaction } from "../model/transaction.ts";
import { gumVersion } from "../model/version.ts";
import { appendAudit } from "./audit.ts";
import { readAuditHead } from "./audit-files.ts";
import { summarizeChanges } from "./change-summary.ts";
import { debug, foldersOf, makeFolders, type RegistryHome, registryIo } from "./folders.ts";
import { collectRetired } from "./gc.ts";
import type { Generation } from "./generation-folders.ts";
import { emptyRegistry, encodeRegistry, type RegistryParts, rowBytesOf, stamped } from "./generation-text.ts";
import { withInstallLock } from "./install-lock.ts";
import { warnOfAltered } from "./read-registry.ts";
import { mendRegistry } from "./recover.ts";
import { trimGenerations } from "./retention.ts";
import { storeSchemas } from "./schema-store.ts";
import { sweepLeftovers } from "./staging.ts";
import { makeEntryLinks, referencesOf, swapCurrent, writeGeneration } from "./write-generation.ts";

export interface PublishOptions {
  /** What the user ran, such as `plugin install fli`: others who wait are told, and history shows it. */
  readonly command: string;
  /** The transaction that an install began with; a new one otherwise. */
  readonly txid?: string | undefined;
  /** Schemas that the new generation needs; they are stored inside the transaction. */
  readonly schemas?: readonly ResolvedSchema[] | undefined;
  /** How many generations with a changed lock or catalog are kept. */
  readonly keep?: number | undefined;
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Published {
  readonly registry: Registry;
  readonly generation: number;
  readonly txid: string;
  /** False when the change returned the registry that it was given: nothing was written. */
  readonly changed: boolean;
}

const defaultKeep = 20;
const txidDigits = 16;

/**
 * Carries out one change of the registry as one transaction: the change is made from the generation that is current
 * under the lock, and a crash or a failure at any point leaves the old generation or the new one, whole (R6, R8, R9).
 */
export async function publish(
  host: Host,
  home: RegistryHome,
  change: RegistryChange,
  options: PublishOptions,
): Promise<Published> {
  await registryIo(home, "write", () => makeFolders(host.files, home));
  const request = { command: options.command, waitMs: options.waitMs, signal: options.signal };
  const { retired, ...published } = await withInstallLock(host, home, request, () =>
    registryIo(home, "write", () => publishLocked(host, home, change, options)),
  );
  if (retired) await collectRetired(host, home, { command: options.command });
  return published;
}

async function publishLocked(
  host: Host,
  home: RegistryHome,
  change: RegistryChange,
  options: PublishOptions,
): Promise<Published & { retired: boolean }> {
  const { generation } = await mendRegistry(host, home);
  await sweepLeftovers(host, home, options.txid);
  if (generation !== undefined) await noteAltered(host, home, generation);
  const current = generation?.registry ?? emptyRegistry();
  // Bytes of another gum are not copied: its rows may lack a field that this one fills in.
  const known = generation?.asWritten ? rowBytesOf(current, generation.bytes) : undefined;
  const transaction: Transaction = {
    generation: current.state.install_generation + 1,
    txid: options.txid ?? host.randomHex(txidDigits),
    now: new Date(host.clock.now()).toISOString(),
  };
  const changed = change(current, transaction);
  if (changed === current) {
    const { install_generation, install_txid } = current.state;
    return {
      registry: current,
      generation: install_generation,
      txid: install_txid,
      changed: false,
      retired: false,
    };
  }
  refuseBrokenRegistry(changed);
  const registry = stamped(changed, transaction);
  const needed = referencesOf(registry);
  await writeAndSwap(host, home, {
    files: encodeRegistry(registry, known),
    changes: summarizeChanges(current, registry),
    needed,
    transaction,
    options,
  });
  debug(host, home, `generation ${transaction.generation} published by "${options.command}"`);
  const keep = options.keep ?? home.keepGenerations ?? defaultKeep;
  const retired = await trimGenerations(host, home, { keep, current: transaction.generation, needed });
  return { registry, generation: transaction.generation, txid: transaction.txid, changed: true, retired };
}

/** What is built on files that gum did not write looks like gum's own afterwards, so the audit log keeps that it was. */
async function noteAltered(host: Host, home: RegistryHome, generation: Generation): Promise<void> {
  const { altered, registry } = generation;
  if (altered.length === 0) return;
  warnOfAltered(host, home, generation);
  await appendAudit(host, home, {
    event: "registry.altered",
    outcome: "failed",
    profile: home.name,
    generation: registry.state.install_generation,
    details: { files: [...altered] },
  });
}

interface NewGeneration {
  readonly files: RegistryParts;
  readonly changes: GenerationChange[];
  readonly needed: GenerationReferences;
  readonly transaction: Transaction;
  readonly options: PublishOptions;
}

async function writeAndSwap(host: Host, home: RegistryHome, made: NewGeneration): Promise<void> {
  const { transaction, options, changes } = made;
  const stored = await storeSchemas(host, home, options.schemas ?? []);
  let folder: string | undefined;
  try {
    const about = {
      install_generation: transaction.generation,
      install_txid: transaction.txid,
      at: transaction.now,
      command: options.command,
      written_by: gumVersion,
      content_changed: changes.length > 0,
      changes,
      audit_head: await readAuditHead(host.files, home),
    };
    folder = await writeGeneration(host, home, made.files, about, made.needed);
    options.signal?.throwIfAborted();
    await makeEntryLinks(host, home);
    await swapCurrent(host, home, folder, transaction.txid);
  } catch (error) {
    await takeBack(host, home, folder, stored);
    throw error;
  }
}

/** Undoes a transaction that failed: `current` never left the old generation, or went back to it. */
async function takeBack(
  host: Host,
  home: RegistryHome,
  folder: string | undefined,
  stored: readonly string[],
): Promise<void> {
  for (const path of stored) await host.files.removeTree(path);
  if (folder !== undefined) await host.files.removeTree(join(foldersOf(home).generations, folder));
}

/** A last look at what a change made, before it reaches the disk: names that must be unique are. */
function refuseBrokenRegistry({ catalog, lock, state }: Registry): void {
  const lists = [
    catalog.variants.map((row) => row.variant_id),
    lock.plugins.map((row) => row.name),
    lock.namespaces.map((row) => row.prefix),
    state.plugins.map((row) => row.name),
  ];
  for (const names of lists) {
    if (new Set(names).size === names.length) continue;
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    throw new GumError("INTERNAL_ERROR", `The registry would name "${twice}" twice.`);
  }
}
