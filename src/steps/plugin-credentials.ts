import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import {
  type CredentialNeed,
  type Credentials,
  credentialNeeds,
  noCredentials,
  withoutVariables,
} from "../model/credentials.ts";
import type { Plugin } from "../model/plugin.ts";
import type { Profile } from "../model/profile.ts";

/** Finds what a plugin needs from its user; a plugin that needs nothing costs nothing. */
export async function findCredentials(
  host: Host,
  profile: Profile,
  plugin: Plugin,
  signal: AbortSignal,
): Promise<Credentials> {
  if (credentialNeeds(plugin).length === 0) return noCredentials;
  const [{ openStore }, { resolveCredentials }] = await Promise.all([
    import("../secrets/open-store.ts"),
    import("../secrets/resolve.ts"),
  ]);
  return resolveCredentials(plugin, {
    profile: profile.name,
    store: openStore(host, profile),
    env: host.env,
    async token() {
      const { googleToken } = await import("./google-token.ts");
      return googleToken(host, profile.credentials?.googleTokenCommand ?? [], signal);
    },
  });
}

/** How many were found where, for a trace; neither their names nor their values. */
export function foundNote({ found, missing }: Credentials): string {
  if (found.size + missing.length === 0) return "none needed";
  const origins = [...found.values()].map(({ origin }) => origin);
  const counts = [...new Set(origins)].map(
    (origin) => `${origins.filter((one) => one === origin).length} ${originWords[origin]}`,
  );
  return [...counts, ...(missing.length > 0 ? [`${missing.length} missing`] : [])].join(", ");
}

const originWords = {
  keychain: "from the keychain",
  file: "from the credential file",
  environment: "from the environment",
  command: "from a command",
} as const;

/** Throws AUTH_REQUIRED, or KEYCHAIN_UNAVAILABLE when they may lie in a locked keychain, unless nothing is missing. */
export function requireCredentials(plugin: Plugin, credentials: Credentials, status: string): void {
  const { missing, locked, faults } = credentials;
  if (missing.length === 0) return;
  if (!locked) throw authRequired(plugin, missing, { status, faults });
  const names = missing.map(({ alias }) => `"${alias}"`).join(", ");
  throw new GumError(
    "KEYCHAIN_UNAVAILABLE",
    `The keychain is locked, so that ${names} of plugin "${plugin.id}" cannot be read.`,
    {
      hint: "unlock the keychain and try again",
      details: { state: "locked", missing: missing.map(({ alias }) => alias), faults },
    },
  );
}

/** D2: what is missing, by alias, with the author's hints and the command that asks for it; no variable is named. */
export function authRequired(
  plugin: Plugin,
  missing: readonly CredentialNeed[],
  about: { readonly status: string; readonly faults?: readonly string[] },
): GumError {
  const names = missing.map(({ alias }) => `"${alias}"`).join(", ");
  const { status, faults = [] } = about;
  return new GumError(
    "AUTH_REQUIRED",
    `The plugin "${plugin.id}" needs credentials: ${names || "none are named"}.`,
    {
      hint: `run \`gum plugin setup ${plugin.id}\``,
      details: {
        status,
        credentials: missing.map(({ alias, displayName, setupHint }) => ({
          alias,
          display_name: withoutVariables(plugin, displayName),
          setup_hint: withoutVariables(plugin, setupHint),
        })),
        setup_command: `gum plugin setup ${plugin.id}`,
        ...(faults.length > 0 ? { faults } : {}),
      },
    },
  );
}
