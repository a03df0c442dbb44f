import { isAbsolute, join, resolve } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { ConfigValues } from "../model/config-keys.ts";
import type { ProcessLimits, Profile as ProfileFacts } from "../model/profile.ts";
import { stripUnsafe } from "../model/safe-text.ts";
import { type Config, effectiveConfig, readConfigFile } from "./config.ts";

/** A profile with its effective configuration and the folders that follow from it. */
export interface Profile extends ProfileFacts {
  readonly configFile: string;
  /** Where install roots go: `<data>/plugins` unless the configuration says otherwise. */
  readonly pluginsDir: string;
  readonly config: Config;
}

const nameRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Opens the named profile, else the one of GUM_PROFILE, else `default`; makes nothing on disk. */
export async function openProfile(host: Host, options: { name?: string | undefined } = {}): Promise<Profile> {
  const name = profileName(options.name ?? (host.env.GUM_PROFILE || "default"));
  refuseHome(host);
  const configDir = join(baseFolder(host, "XDG_CONFIG_HOME", ".config"), "gum", name);
  const dataDir = join(baseFolder(host, "XDG_DATA_HOME", ".local/share"), "gum", name);
  const cacheDir = join(baseFolder(host, "XDG_CACHE_HOME", ".cache"), "gum", name);
  const configFile = join(configDir, "config.toml");
  const written = await readConfigFile(host.files, configFile);
  const config = effectiveConfig(written, host.env, { isDev: name === "dev" });
  const installDir = config.values["plugins.install_dir"];
  return {
    name,
    isDev: config.values["profile.is_dev"],
    requireSignatures: config.values["plugins.require_signatures"],
    marketplaceUrl: config.values["marketplace.url"],
    credentials: {
      backend: config.values["secrets.backend"],
      keyFile: config.values["secrets.key_file"],
      passphrase: config.values["secrets.passphrase"],
      googleTokenCommand: config.values["auth.google_access_token_command"],
    },
    limits: processLimits(config.values),
    packageLimits: {
      maxFiles: config.values["plugins.max_files"],
      maxBytes: config.values["plugins.max_bytes"],
    },
    esmAccepted: config.values["plugins.manifest_loader_enabled"],
    keepGenerations: config.values["generations.keep"],
    debugRegistry: config.values["registry.debug"],
    configDir,
    dataDir,
    cacheDir,
    configFile,
    pluginsDir: installDir === null ? join(dataDir, "plugins") : resolve(host.machine.cwd, installDir),
    config,
  };
}

function processLimits(values: ConfigValues): ProcessLimits {
  const dataBytes = values["limits.data_bytes"];
  const fileBytes = values["limits.file_bytes"];
  const openFiles = values["limits.open_files"];
  const cpuSeconds = values["limits.cpu_seconds"];
  return {
    ...(dataBytes === null ? {} : { dataBytes }),
    ...(fileBytes === null ? {} : { fileBytes }),
    ...(openFiles === null ? {} : { openFiles }),
    ...(cpuSeconds === null ? {} : { cpuSeconds }),
  };
}

/** The name itself, when it can be a folder's name on every system. */
export function profileName(name: string): string {
  if (nameRule.test(name) && !name.includes("..")) return name;
  throw new GumError("USAGE", `"${printable(name)}" cannot be the name of a profile.`, {
    hint: "use 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit, without ..",
  });
}

function printable(text: string): string {
  return stripUnsafe(text).slice(0, 80);
}

/** Everything that is kept, and much that is guarded, lies below the home folder: it must be known. */
function refuseHome(host: Host): void {
  if (isAbsolute(host.machine.home)) return;
  throw new GumError(
    "CONFIG_INVALID",
    `The environment variable HOME is "${printable(host.machine.home)}", which is no absolute path.`,
    { hint: "set HOME to your home folder, or unset it" },
  );
}

/** The base folder of the XDG rules, which say that a relative path is to be ignored. */
function baseFolder(host: Host, variable: string, fallback: string): string {
  const said = host.env[variable];
  return said !== undefined && isAbsolute(said) ? said : join(host.machine.home, fallback);
}
