import { dirname } from "node:path/posix";
import { errnoWords } from "../base/errno-words.ts";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { ConfigValue } from "../model/config-keys.ts";
import { isSecret, knownKey, parseConfig, parseValue, readConfigText } from "./config.ts";

const lockBudgetMs = 10_000;

/** Sets one key in `config.toml`, which is made (0600) when it is absent; comments and other lines stay. */
export async function setConfig(host: Host, file: string, name: string, text: string): Promise<ConfigValue> {
  const key = knownKey(name);
  if (isSecret(key)) {
    throw new GumError("CONFIG_INVALID", `The key "${key}" holds a secret, which no file may hold.`);
  }
  const value = parseValue(key, text);
  await changeConfig(host, file, key, value);
  return value;
}

/** Removes one key from `config.toml`; false when it was not there. */
export async function unsetConfig(host: Host, file: string, name: string): Promise<boolean> {
  return changeConfig(host, file, knownKey(name), null);
}

async function changeConfig(host: Host, file: string, key: string, value: ConfigValue): Promise<boolean> {
  try {
    return await changeLocked(host, file, key, value);
  } catch (error) {
    const why = errnoWords(error);
    if (why === undefined) throw error;
    throw new GumError("REGISTRY_IO", `Cannot write config.toml: ${why}.`, {
      at: { file },
      hint: `check the permissions of ${dirname(file)} and of the folders above it`,
      cause: error,
    });
  }
}

async function changeLocked(host: Host, file: string, key: string, value: ConfigValue): Promise<boolean> {
  await host.files.mkdir(dirname(file), { mode: 0o700, recursive: true });
  const lock = await host.files.lock(`${file}.lock`, { waitMs: lockBudgetMs });
  if (lock === undefined) {
    throw new GumError("REGISTRY_LOCKED", "Another process is changing config.toml.", { retryable: true });
  }
  try {
    const before = (await readConfigText(host.files, file)) ?? "";
    await parseConfig(before, file);
    const { changeKey } = await import("./config-text.ts");
    const after = await changeKey(before, key, value ?? undefined);
    if (after === before) return false;
    await host.files.replace(await realFile(host, file), after, { mode: 0o600, sync: true });
    return true;
  } finally {
    await lock.release();
  }
}

/** Where a linked config.toml really lies, so that the link of a dotfiles folder stays a link. */
async function realFile(host: Host, file: string): Promise<string> {
  try {
    return await host.files.realpath(file);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return file;
    throw error;
  }
}
