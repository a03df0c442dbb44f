import { configKeys } from "./config-keys.ts";
import type { CredentialSettings } from "./credentials.ts";

/** A named context with its own config, data, cache and secrets. Never merged with another. */
export interface Profile {
  readonly name: string;
  /** Dev profiles may link folders, skip canaries and override namespace conflicts. */
  readonly isDev: boolean;
  /** Only packages that a trusted key has signed are installed. */
  readonly requireSignatures: boolean;
  /** The only place that gets the marketplace token. */
  readonly marketplaceUrl?: string | null | undefined;
  /** Where credentials are kept; without it, in the keychain of the system. */
  readonly credentials?: CredentialSettings | undefined;
  readonly configDir: string;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** Where install roots go. */
  readonly pluginsDir: string;
  /** What a plugin's process may use, where the operator has said it (T23). */
  readonly limits?: ProcessLimits | undefined;
  /** How large a plugin may be (T5); without it, as the table of keys says. */
  readonly packageLimits?: PackageLimits | undefined;
  /** Whether ES-module plugins are accepted; without it they are. */
  readonly esmAccepted?: boolean | undefined;
  /** How many generations with a changed lock or catalog are kept. */
  readonly keepGenerations?: number | undefined;
  /** Whether the log says what the registry does. */
  readonly debugRegistry?: boolean | undefined;
}

/** Limits that the configuration sets; those that it leaves out have their defaults. */
export interface ProcessLimits {
  readonly dataBytes?: number;
  readonly fileBytes?: number;
  readonly openFiles?: number;
  /** For processes that answer one call alone. */
  readonly cpuSeconds?: number;
}

export interface PackageLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** How large a plugin of this profile may be. */
export function packageLimitsOf({ packageLimits }: Pick<Profile, "packageLimits">): PackageLimits {
  return (
    packageLimits ?? {
      maxFiles: configKeys["plugins.max_files"].fallback,
      maxBytes: configKeys["plugins.max_bytes"].fallback,
    }
  );
}
