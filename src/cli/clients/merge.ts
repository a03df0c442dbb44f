// Puts gum into the file of a client. The file is somebody else's: it is read whole, changed in one place, compared
// with what it said before, and copied aside before it is replaced.
import { dirname } from "node:path/posix";
import { isDeepStrictEqual } from "node:util";
import { GumError, isErrno } from "../../base/errors.ts";
import { ReadFault } from "../../base/read-fault.ts";
import { readToml } from "../../base/toml-reader.ts";
import type { Host } from "../context.ts";
import { setInJsonc } from "./jsonc-edit.ts";
import { JsoncFault, readJsonc } from "./jsonc-tree.ts";
import type { ClientFacts } from "./table.ts";
import { setInToml } from "./toml-edit.ts";

export interface Merged {
  readonly path: string;
  readonly changed: boolean;
  /** Where the file from before lies; null when there was none, or nothing changed. */
  readonly backup: string | null;
}

const maxBytes = 16 << 20;

/** Merges gum's entry into the file; nothing else in it changes. */
export async function mergeEntry(
  host: Host,
  facts: ClientFacts,
  path: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): Promise<Merged> {
  const { files } = host;
  const real = await realPath(host, path);
  const before = await readIfThere(host, real);
  const after = await edited(facts, path, before ?? "", name, entry);
  if (after === before) return { path, changed: false, backup: null };
  if (before === undefined) {
    await files.mkdir(dirname(real), { mode: 0o700, recursive: true });
    await files.writeNew(real, after, { mode: 0o600 });
    return { path, changed: true, backup: null };
  }
  const { mode } = await files.stat(real);
  const backup = await setAside(host, real, before, mode);
  await files.replace(real, after, { mode });
  return { path, changed: true, backup };
}

/** A link, as people have who keep their settings elsewhere, stays one. */
async function realPath({ files }: Host, path: string): Promise<string> {
  try {
    return await files.realpath(path);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return path;
    throw error;
  }
}

async function readIfThere({ files }: Host, path: string): Promise<string | undefined> {
  try {
    return await files.readText(path, { maxBytes });
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    if (error instanceof TypeError) throw unreadable(path, "it is not UTF-8");
    if (isErrno(error, "EACCES", "EISDIR", "ENOTDIR", "EFBIG"))
      throw unreadable(path, String(Reflect.get(Object(error), "code")));
    throw error;
  }
}

async function edited(
  facts: ClientFacts,
  path: string,
  before: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { format, key } = facts;
  try {
    const read = async (text: string): Promise<unknown> => {
      if (text.trim() === "") return {};
      return format === "json" ? readJsonc(text).value : (await readToml(text)).value;
    };
    const old = await read(before);
    const present = plain(at(at(old, key), name));
    if (Object.entries(entry).every(([field, value]) => isDeepStrictEqual(present[field], value)))
      return before;
    const after =
      format === "json"
        ? setInJsonc(before, key, name, { ...present, ...entry })
        : setInToml(before, key, name, entry);
    const now = await read(after);
    const same = isDeepStrictEqual(without(now, key, name), without(old, key, name));
    const there = Object.entries(entry).every(([field, value]) =>
      isDeepStrictEqual(at(at(at(now, key), name), field), value),
    );
    if (same && there) return after;
    throw unreadable(path, "it is written in a way that gum cannot change safely");
  } catch (error) {
    if (error instanceof JsoncFault)
      throw unreadable(path, `${error.message} (line ${lineOf(before, error.offset)})`);
    if (error instanceof ReadFault) throw unreadable(path, error.message);
    throw error;
  }
}

/** The document without gum's own entry; a section that held nothing else counts as absent. */
function without(document: unknown, key: string, name: string): unknown {
  const root = plain(document);
  const { [name]: _, ...others } = plain(root[key]);
  const { [key]: __, ...rest } = root;
  return Object.keys(others).length === 0 ? rest : { ...rest, [key]: others };
}

function at(value: unknown, key: string): unknown {
  const record = plain(value);
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A copy without a prototype of its own, as the two readers differ in that. */
function plain(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : {};
}

async function setAside({ files, clock }: Host, path: string, text: string, mode: number): Promise<string> {
  const stamp = new Date(clock.now()).toISOString().replace(/[-:]/g, "").replace(/\..*$/, "");
  for (let attempt = 0; ; attempt++) {
    const backup = `${path}.gum-backup-${stamp}${attempt === 0 ? "" : `-${attempt}`}`;
    try {
      await files.writeNew(backup, text, { mode });
      return backup;
    } catch (error) {
      if (!isErrno(error, "EEXIST") || attempt > 100) throw error;
    }
  }
}

function unreadable(path: string, why: string): GumError {
  return new GumError("CONFIG_INVALID", `The file ${path} was left as it is: ${why}.`, {
    hint: "put the printed snippet into it by hand",
  });
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
