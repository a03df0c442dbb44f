import { join } from "node:path/posix";
import type { Warning } from "../base/errors.ts";
import { type ConfigKey, configKeys } from "../model/config-keys.ts";
import { appendAudit } from "../registry/audit.ts";
import { configKeyNames, factsOf, isSecret, knownKey } from "../registry/config.ts";
import { setConfig, unsetConfig } from "../registry/config-change.ts";
import { openProfile, type Profile } from "../registry/profile.ts";
import type { ConfigChangeAnswer, ConfigView } from "./answers-trust.ts";
import type { Kernel } from "./kernel.ts";

/** Every key with its effective value and where that came from. */
export async function listConfig(kernel: Kernel): Promise<ConfigView[]> {
  const profile = await current(kernel);
  return configKeyNames().map((key) => viewOf(profile, key));
}

/** One key with its effective value. */
export async function getConfig(kernel: Kernel, name: string): Promise<ConfigView> {
  const key = knownKey(name);
  return viewOf(await current(kernel), key);
}

/** Sets one key in the profile's config.toml. */
export async function setConfigKey(kernel: Kernel, name: string, text: string): Promise<ConfigChangeAnswer> {
  const key = knownKey(name);
  const before = await current(kernel);
  const value = await setConfig(kernel.host, fileOf(kernel), key, text);
  const changed = before.config.origins[key] !== "file" || !isSame(before.config.values[key], value);
  return changeAnswer(kernel, "config.set", key, changed);
}

/** Takes one key out of the profile's config.toml; its default holds again. */
export async function unsetConfigKey(kernel: Kernel, name: string): Promise<ConfigChangeAnswer> {
  const key = knownKey(name);
  const changed = await unsetConfig(kernel.host, fileOf(kernel), key);
  return changeAnswer(kernel, "config.unset", key, changed);
}

async function changeAnswer(
  kernel: Kernel,
  event: string,
  key: ConfigKey,
  changed: boolean,
): Promise<ConfigChangeAnswer> {
  const { host } = kernel;
  const profile = await current(kernel);
  // The key alone: a value may be a command line, and those have held passwords before.
  if (changed) {
    await appendAudit(host, profile, { event, outcome: "ok", profile: profile.name, details: { key } });
  }
  const { value, origin } = viewOf(profile, key);
  return { ok: true, key, value, origin, changed, warnings: overridden(profile, key) };
}

function overridden(profile: Profile, key: ConfigKey): Warning[] {
  if (profile.config.origins[key] !== "env") return [];
  const { env } = factsOf(key);
  return [{ message: `The environment variable ${env} is set, and it has the last word on "${key}" here.` }];
}

function viewOf({ config }: Profile, key: ConfigKey): ConfigView {
  const secret = isSecret(key);
  return {
    key,
    value: secret ? null : config.values[key],
    origin: config.origins[key],
    secret,
    summary: configKeys[key].summary,
  };
}

/** As the files and the environment are now, which may be after a change. */
function current({ host, profile }: Kernel): Promise<Profile> {
  return openProfile(host, { name: profile.name });
}

function fileOf({ profile }: Kernel): string {
  return join(profile.configDir, "config.toml");
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
