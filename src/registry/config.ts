import { GumError, isErrno, type Place } from "../base/errors.ts";
import { placeIn } from "../base/place.ts";
import { ReadFault } from "../base/read-fault.ts";
import { didYouMean, nearest } from "../base/suggest.ts";
import type { Files } from "../host/host.ts";
import {
  type ConfigKey,
  type ConfigKeyFacts,
  type ConfigValue,
  type ConfigValues,
  configKeys,
} from "../model/config-keys.ts";

import type { TableEntry } from "./config-text.ts";

export type ConfigOrigin = "default" | "file" | "env";

/** Every key with its effective value and where that came from. */
export interface Config {
  readonly values: ConfigValues;
  readonly origins: Readonly<Record<ConfigKey, ConfigOrigin>>;
}

/** What a configuration file says, checked; keys that it leaves out are absent. */
export type FileValues = ReadonlyMap<ConfigKey, ConfigValue>;

const nothing: FileValues = new Map();
const maxConfigBytes = 1 << 20;

/** The names of all keys, in the order of the table. */
export function configKeyNames(): ConfigKey[] {
  return Object.keys(configKeys).filter(isConfigKey);
}

/** The key itself, or UNKNOWN_CONFIG_KEY with the nearest name. */
export function knownKey(name: string, at?: Place): ConfigKey {
  if (isConfigKey(name)) return name;
  const near = nearest(name, Object.keys(configKeys));
  throw new GumError(
    "UNKNOWN_CONFIG_KEY",
    `There is no configuration key "${name}"${didYouMean(name, Object.keys(configKeys)) || "."}`,
    { at, details: { key: name, nearest: near ?? null } },
  );
}

/** Reads and checks `config.toml`; an absent file says nothing. */
export async function readConfigFile(files: Files, path: string): Promise<FileValues> {
  const text = await readConfigText(files, path);
  return text === undefined ? nothing : parseConfig(text, path);
}

/** The text of the file, or undefined when there is none. */
export async function readConfigText(files: Files, path: string): Promise<string | undefined> {
  try {
    return await files.readText(path, { maxBytes: maxConfigBytes });
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    const why = isErrno(error, "EFBIG") ? "it is larger than 1 MiB" : "it is not readable UTF-8 text";
    throw new GumError("CONFIG_INVALID", `Cannot read config.toml: ${why}.`, {
      at: { file: path },
      cause: error,
    });
  }
}

/** Checks the text of a configuration file key by key. */
export async function parseConfig(text: string, file: string): Promise<FileValues> {
  const values = new Map<ConfigKey, ConfigValue>();
  for (const { key: name, value: raw, offset } of await entriesOf(text, file)) {
    const at = placeIn(file, text, offset);
    const key = knownKey(name, at);
    if (isSecret(key)) {
      throw new GumError(
        "CONFIG_INVALID",
        `The key "${key}" holds a secret, which is read from the environment alone.`,
        { at, hint: `remove it from the file and set ${factsOf(key).env}` },
      );
    }
    values.set(key, checkValue(key, raw, `"${key}"`, at));
  }
  return values;
}

async function entriesOf(text: string, file: string): Promise<TableEntry[]> {
  const { readTable } = await import("./config-text.ts");
  try {
    return await readTable(text);
  } catch (error) {
    if (!(error instanceof ReadFault)) throw error;
    throw new GumError("CONFIG_INVALID", `config.toml is not valid TOML: ${error.message}.`, {
      at: placeIn(file, text, error.offset),
      hint: "correct that line; `gum config set` writes valid ones",
      cause: error,
    });
  }
}

/** Joins defaults, file and environment (the later wins, but for keys that it may only tighten). */
export function effectiveConfig(
  file: FileValues,
  env: Readonly<Record<string, string | undefined>>,
  options: { isDev: boolean },
): Config {
  const values: Record<string, ConfigValue> = {};
  const origins: Record<string, ConfigOrigin> = {};
  for (const key of configKeyNames()) {
    const facts = factsOf(key);
    const written = file.get(key);
    const fallback = key === "profile.is_dev" ? options.isDev : facts.fallback;
    values[key] = written === undefined ? fallback : written;
    origins[key] = written === undefined ? "default" : "file";
    const said = facts.env === undefined ? undefined : env[facts.env];
    if (said === undefined || said === "") continue;
    const value = parseValue(key, said, `the environment variable ${facts.env}`);
    if (facts.tightenOnly && value !== true) continue;
    values[key] = value;
    origins[key] = "env";
  }
  // Each value was checked against its key above, which a mapped type cannot follow through a loop.
  return { values: values as ConfigValues, origins: origins as Record<ConfigKey, ConfigOrigin> };
}

/** Reads a value as it is typed on a command line or stands in the environment. */
export function parseValue(key: ConfigKey, text: string, named = `"${key}"`): ConfigValue {
  const facts = factsOf(key);
  if (facts.type === "boolean") {
    if (/^(true|1|yes|on)$/i.test(text)) return true;
    if (/^(false|0|no|off)$/i.test(text)) return false;
    throw invalid(key, named, "must be true or false");
  }
  if (facts.type === "integer") return checkValue(key, /^-?\d+$/.test(text) ? Number(text) : text, named);
  if (facts.type === "text") return checkValue(key, text, named);
  return checkValue(key, textList(text), named);
}

/** Whether the key's value must never be shown. */
export function isSecret(key: ConfigKey): boolean {
  return factsOf(key).secret === true;
}

export function factsOf(key: ConfigKey): ConfigKeyFacts {
  return configKeys[key];
}

function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(configKeys, name);
}

/** A JSON array, or words separated by commas. */
function textList(text: string): unknown {
  if (!text.trimStart().startsWith("[")) return text === "" ? [] : text.split(",").map((word) => word.trim());
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function checkValue(key: ConfigKey, raw: unknown, named: string, at?: Place): ConfigValue {
  const facts = factsOf(key);
  switch (facts.type) {
    case "boolean":
      if (typeof raw === "boolean") return raw;
      throw invalid(key, named, "must be true or false", at);
    case "integer":
      if (typeof raw === "number" && Number.isSafeInteger(raw) && raw >= facts.min && raw <= facts.max)
        return raw;
      throw invalid(key, named, `must be a whole number from ${facts.min} to ${facts.max}`, at);
    case "text":
      if (typeof raw !== "string" || raw === "" || raw.includes("\0"))
        throw invalid(key, named, "must be text", at);
      if (facts.choices === undefined || facts.choices.includes(raw)) return raw;
      throw invalid(key, named, `must be one of ${facts.choices.join(", ")}`, at);
    case "texts":
      if (Array.isArray(raw) && raw.every((word) => typeof word === "string" && word !== "")) return raw;
      throw invalid(key, named, "must be a list of texts", at);
  }
}

function invalid(key: ConfigKey, named: string, rule: string, at?: Place): GumError {
  return new GumError("CONFIG_INVALID", `The value of ${named} ${rule}.`, { at, details: { key } });
}
