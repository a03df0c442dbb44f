// The environment of a plugin, made from nothing (T12). What gum was started with reaches a plugin only by name.
import { isDeniedEnv } from "../model/env-denylist.ts";

export type Environment = Readonly<Record<string, string>>;

export interface EnvironmentInput {
  /** The environment that gum itself was started with. */
  readonly user: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly temporary: string;
  readonly network: boolean;
  /** The manifest's literal values. */
  readonly literal: Environment;
  /** Names that may pass when the user has them: `env_allow` and `needs_user_creds`. */
  readonly allowed: readonly string[];
  /** Values from the keychain; they win over the user's environment. */
  readonly credentials: Environment;
}

/** Where programs are looked for; never the user's PATH. */
export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const localeNames = /^(?:LANG|LC_[A-Z]+|TZ)$/;

/** Proxies and certificates, without which some networks cannot be used at all. */
export const networkNames: readonly string[] = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

const certificateNames = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];

/** The whole environment of a plugin; denied names are gone whoever asked for them (T14). */
export function makeEnvironment(input: EnvironmentInput): Environment {
  const locale = Object.keys(input.user).filter((name) => localeNames.test(name));
  const entries = {
    LANG: "C.UTF-8",
    TERM: "dumb",
    ...taken(input.user, locale),
    ...input.literal,
    ...(input.network ? taken(input.user, networkNames) : {}),
    ...taken(input.user, input.allowed),
    ...input.credentials,
    // Last, so that nobody leads a program to other places than these.
    PATH: systemPath,
    HOME: input.home,
    TMPDIR: input.temporary,
  };
  return Object.fromEntries(Object.entries(entries).filter(([name, value]) => isPassable(name, value)));
}

/** The certificate files and folders that the user's environment names. */
export function certificatePaths(user: EnvironmentInput["user"]): string[] {
  return certificateNames
    .flatMap((name) => user[name]?.split(":") ?? [])
    .filter((path) => path.startsWith("/"));
}

function taken(user: EnvironmentInput["user"], names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = user[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function isPassable(name: string, value: string): boolean {
  return name !== "" && !/[=\0]/.test(name) && !value.includes("\0") && !isDeniedEnv(name);
}
