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
}
