// T19: credentials in one encrypted file, for machines without a keychain. Opt-in: `secrets.backend = "file"`.
import { dirname } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Files, HeldLock } from "../host/host.ts";
import { type SealKey, seal, unseal } from "./sealed-text.ts";
import { type SecretAnswer, type SecretStore, type StoreFault, storeError, valueFault } from "./store.ts";

/** Where the key comes from. */
export interface KeySource {
  /** The key; `create` allows to make a new one, when there is nothing yet that it could not open. */
  take(options: { readonly create: boolean }): Promise<SealKey | StoreFault>;
  /** Whether there would be a key for a new file. */
  ready(): Promise<{ readonly kind: "open" } | StoreFault>;
}

const title = "the credential file";
const maxBytes = 1 << 20;
const lockWaitMs = 10_000;

type Entries = Readonly<Record<string, string>>;

/** The encrypted file as a store. Every change replaces the whole file; several processes take turns. */
export function createFileStore(files: Files, path: string, key: KeySource): SecretStore {
  /** What was opened last, so that one command makes the key once. */
  let known: { readonly text: string; readonly entries: Entries } | undefined;

  let taken: SealKey | undefined;

  const open = async (create: boolean): Promise<Opened | StoreFault> => {
    const text = await readFile(files, path);
    if (typeof text === "object") return text;
    const sealKey = taken ?? (await key.take({ create: create && text === undefined }));
    if ("reason" in sealKey) return sealKey;
    taken = sealKey;
    if (text === undefined) return { entries: {}, key: sealKey };
    if (known?.text !== text) {
      const plain = await unseal(text, sealKey);
      const entries = plain === undefined ? undefined : readEntries(plain);
      if (entries === undefined) return changed;
      known = { text, entries };
    }
    return { entries: known.entries, key: sealKey };
  };

  const change = async <T>(how: (entries: Entries) => { next?: Entries; result: T }): Promise<T> => {
    const lock = await takeLock(files, path);
    if (!("release" in lock)) throw storeError({ title }, lock);
    try {
      const opened = await open(true);
      if ("reason" in opened) throw storeError({ title }, opened);
      const { next, result } = how(opened.entries);
      if (next !== undefined) {
        const before = known?.text;
        await writeFile(files, path, await seal(JSON.stringify(next), opened.key, before));
      }
      return result;
    } finally {
      await lock.release();
    }
  };

  return {
    name: "file",
    title,
    keeps: true,
    async state() {
      if (!(await files.exists(path))) return key.ready();
      const opened = await open(false);
      if ("reason" in opened) return opened;
      return { kind: "open" };
    },
    async get(name): Promise<SecretAnswer> {
      // A file that is not there holds nothing, whoever has the key.
      if (!(await files.exists(path))) return { kind: "absent" };
      const opened = await open(false);
      if ("reason" in opened) return opened;
      const value = Object.hasOwn(opened.entries, name) ? opened.entries[name] : undefined;
      return value === undefined ? { kind: "absent" } : { kind: "found", value };
    },
    async set(name, value) {
      const bad = valueFault(value);
      if (bad !== undefined) throw storeError({ title }, { kind: "unavailable", reason: `the value ${bad}` });
      await change((entries) => ({ next: { ...entries, [name]: value }, result: undefined }));
    },
    async delete(name) {
      if (!(await files.exists(path))) return false;
      return change((entries) => {
        if (!Object.hasOwn(entries, name)) return { result: false };
        const next = Object.fromEntries(Object.entries(entries).filter(([known]) => known !== name));
        return { next, result: true };
      });
    },
  };
}

interface Opened {
  readonly entries: Entries;
  readonly key: SealKey;
}

const changed: StoreFault = {
  kind: "unavailable",
  reason: "it was changed, or the key is not the one that it was written with",
};

/** The text of the file; undefined when there is none. */
async function readFile(files: Files, path: string): Promise<string | undefined | StoreFault> {
  try {
    return await files.readText(path, { maxBytes, noFollow: true });
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    if (isErrno(error, "EACCES", "EPERM", "EISDIR", "EIO")) return unreadable(error);
    if (error instanceof TypeError || isErrno(error, "EFBIG", "ELOOP")) return changed;
    throw error;
  }
}

async function writeFile(files: Files, path: string, text: string): Promise<void> {
  try {
    await files.replace(path, text, { mode: 0o600, sync: true });
    await files.syncFolder(dirname(path));
  } catch (error) {
    if (isErrno(error, "EINVAL", "ENOTSUP", "EOPNOTSUPP")) return; // written, on a file system that cannot flush
    if (isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO"))
      throw storeError({ title }, unreadable(error));
    throw error;
  }
}

async function takeLock(files: Files, path: string): Promise<HeldLock | StoreFault> {
  try {
    await files.mkdir(dirname(path), { mode: 0o700, recursive: true });
    const lock = await files.lock(`${path}.lock`, { waitMs: lockWaitMs });
    return lock ?? { kind: "unavailable", reason: "another process holds it" };
  } catch (error) {
    if (isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO")) return unreadable(error);
    throw error;
  }
}

function unreadable(error: unknown): StoreFault {
  const errno = error instanceof Error && "code" in error ? String(error.code) : "EIO";
  return { kind: "unavailable", reason: `it cannot be read or written (${errno})` };
}

function readEntries(plain: string): Entries | undefined {
  const value: unknown = JSON.parse(plain);
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value);
  return entries.every(([, one]) => typeof one === "string") ? Object.fromEntries(entries) : undefined;
}
