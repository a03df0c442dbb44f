// How a registry is spelt on disk: JSON with two spaces, rows sorted, a newline at the end.
import { Buffer } from "node:buffer";
import * as v from "valibot";
import { GumError } from "../base/errors.ts";
import {
  Catalog,
  type Lock,
  Lock as LockModel,
  LockRow,
  NamespaceRow,
  type Registry,
  type State,
  State as StateModel,
  StateRow,
  VariantRow,
} from "../model/registry.ts";
import type { Transaction } from "../model/transaction.ts";
import { findRows, type RowBytes, type RowPlace, rowParts } from "./row-bytes.ts";

/** The three files of a generation as text. */
export interface RegistryTexts {
  readonly catalog: string;
  readonly lock: string;
  readonly state: string;
}

/** The three files as they lie on disk. */
export interface RegistryBytes {
  readonly catalog: Uint8Array;
  readonly lock: Uint8Array;
  readonly state: Uint8Array;
}

/** The three files as pieces that follow each other: what did not change is not copied together first. */
export interface RegistryParts {
  readonly catalog: readonly Uint8Array[];
  readonly lock: readonly Uint8Array[];
  readonly state: readonly Uint8Array[];
}

export const fileNames = {
  catalog: "plugin-catalog.json",
  lock: "plugins.lock",
  state: "plugin-state.json",
} as const;

const versionKeys = {
  catalog: "plugin_catalog_schema_version",
  lock: "plugins_lock_schema_version",
  state: "plugin_state_schema_version",
} as const;

const futureCodes = {
  catalog: "PLUGIN_CATALOG_SCHEMA_UNSUPPORTED",
  lock: "PLUGIN_LOCK_SCHEMA_UNSUPPORTED",
  state: "PLUGIN_STATE_SCHEMA_UNSUPPORTED",
} as const;

type FileKind = keyof typeof fileNames;

/** What a profile has before the first install. */
export function emptyRegistry(): Registry {
  const stamp = { install_generation: 0, install_txid: "", updated_at: "1970-01-01T00:00:00.000Z" };
  return {
    catalog: { plugin_catalog_schema_version: 1, ...stamp, variants: [] },
    lock: { plugins_lock_schema_version: 1, ...stamp, plugins: [], namespaces: [] },
    state: { plugin_state_schema_version: 1, ...stamp, plugins: [] },
  };
}

/** The same rows, sorted, under the stamp of a transaction. */
export function stamped(registry: Registry, transaction: Transaction): Registry {
  const stamp = {
    install_generation: transaction.generation,
    install_txid: transaction.txid,
    updated_at: transaction.now,
  };
  const { catalog, lock, state } = registry;
  return {
    catalog: {
      plugin_catalog_schema_version: 1,
      ...stamp,
      variants: sorted(catalog.variants, (row) => row.variant_id),
    },
    lock: {
      plugins_lock_schema_version: 1,
      ...stamp,
      plugins: sorted(lock.plugins, (row) => row.name),
      namespaces: sorted(lock.namespaces, (row) => row.prefix),
    },
    state: { plugin_state_schema_version: 1, ...stamp, plugins: sorted(state.plugins, (row) => row.name) },
  };
}

/** The bytes of a stamped registry; a row that breaks its model is a fault of gum. */
export function encodeRegistry(
  { catalog, lock, state }: Registry,
  known: RowBytes = new Map(),
): RegistryParts {
  return {
    catalog: fileParts("catalog", catalog, [["variants", rowParts(VariantRow, catalog.variants, known)]]),
    lock: fileParts("lock", lock, [
      ["plugins", rowParts(LockRow, lock.plugins, known)],
      ["namespaces", rowParts(NamespaceRow, lock.namespaces, known)],
    ]),
    state: fileParts("state", state, [["plugins", rowParts(StateRow, state.plugins, known)]]),
  };
}

/** Reads texts that are not known to be what gum wrote: everything is checked. Undefined when they are damaged. */
export function decodeRegistry(texts: RegistryTexts): Registry | undefined {
  const catalog = checked("catalog", Catalog, texts.catalog);
  const lock = checked("lock", LockModel, texts.lock);
  const state = checked("state", StateModel, texts.state);
  if (catalog === undefined || lock === undefined || state === undefined) return undefined;
  const together = [lock, state].every(
    (file) =>
      file.install_generation === catalog.install_generation && file.install_txid === catalog.install_txid,
  );
  return together ? { catalog, lock, state } : undefined;
}

/** Reads texts whose digests prove that they are what gum checked and wrote; each file is parsed when it is used. */
export function trustedRegistry(texts: RegistryTexts): Registry | undefined {
  const kinds: readonly FileKind[] = ["catalog", "lock", "state"];
  if (!kinds.every((kind) => texts[kind].startsWith(`{\n  "${versionKeys[kind]}": 1,\n`))) return undefined;
  // The digest stands for the check of every field, so the parsed values have their models' types.
  const catalog = once(() => JSON.parse(texts.catalog) as Catalog);
  const lock = once(() => JSON.parse(texts.lock) as Lock);
  const state = once(() => JSON.parse(texts.state) as State);
  return {
    get catalog() {
      return catalog();
    },
    get lock() {
      return lock();
    },
    get state() {
      return state();
    },
  };
}

/** Where each row of a registry was read from, so that encoding it again copies the bytes. Rows are frozen. */
export function rowBytesOf({ catalog, lock, state }: Registry, bytes: RegistryBytes): RowBytes {
  const known = new Map<object, RowPlace>();
  findRows(known, catalog.variants, bytes.catalog, "variants");
  findRows(known, lock.plugins, bytes.lock, "plugins");
  findRows(known, lock.namespaces, bytes.lock, "namespaces");
  findRows(known, state.plugins, bytes.state, "plugins");
  return known;
}

function fileParts(
  kind: FileKind,
  stamp: Pick<Lock, "install_generation" | "install_txid" | "updated_at">,
  lists: readonly (readonly [string, readonly Uint8Array[]])[],
): Uint8Array[] {
  const head = [
    `{\n  "${versionKeys[kind]}": 1`,
    `  "install_generation": ${stamp.install_generation}`,
    `  "install_txid": ${JSON.stringify(stamp.install_txid)}`,
    `  "updated_at": ${JSON.stringify(stamp.updated_at)}`,
  ];
  const parts: Uint8Array[] = [Buffer.from(head.join(",\n"))];
  for (const [name, rows] of lists) {
    const isEmpty = rows.length === 0;
    parts.push(Buffer.from(isEmpty ? `,\n  "${name}": []` : `,\n  "${name}": [\n`), ...rows);
    if (!isEmpty) parts.push(Buffer.from("\n  ]"));
  }
  return [...parts, Buffer.from("\n}\n")];
}

/** The file's value when it fits the model; a version from the future is refused by name (R5). */
function checked<M extends v.GenericSchema>(
  kind: FileKind,
  model: M,
  text: string,
): v.InferOutput<M> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const version =
    typeof value === "object" && value !== null ? Reflect.get(value, versionKeys[kind]) : undefined;
  if (typeof version === "number" && version > 1) {
    throw new GumError(
      futureCodes[kind],
      `${fileNames[kind]} has schema version ${version}; this gum knows 1.`,
      {
        details: { version },
      },
    );
  }
  const result = v.safeParse(model, value);
  return result.success ? result.output : undefined;
}

function sorted<R>(rows: readonly R[], key: (row: R) => string): R[] {
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
