// What a plugin needs from its user, and what was found of it. Values live in memory alone; variables are never named
// to people or agents: aliases, display names and hints are (T17).
import { accountComponents, googleTokenVariable, secretComponents } from "./auth-kinds.ts";
import { componentsIn } from "./component-args.ts";
import type { AuthComponent, Plugin } from "./plugin.ts";

/** One value that a plugin needs. */
export interface CredentialNeed {
  readonly alias: string;
  readonly displayName: string;
  readonly setupHint: string;
  /** The variable that carries it to the plugin; null when only the trial call uses it. */
  readonly env: string | null;
  /** Without it the plugin is not configured. */
  readonly required: boolean;
  /** A secret is typed unseen, an account's name is not; a command's output is neither typed nor kept. */
  readonly from: "secret" | "text" | "command";
}

/** Where a value was found. */
export type CredentialOrigin = "keychain" | "file" | "environment" | "command";

export interface FoundCredential {
  readonly value: string;
  readonly origin: CredentialOrigin;
  readonly secret: boolean;
}

/** What was found of a plugin's needs. */
export interface Credentials {
  /** Variables for its process. */
  readonly env: Readonly<Record<string, string>>;
  readonly found: ReadonlyMap<string, FoundCredential>;
  /** Required ones that were not found. */
  readonly missing: readonly CredentialNeed[];
  /** The keychain is there and cannot be read, so that what is missing may be in it. */
  readonly locked: boolean;
  /** Why something could not be asked for, as sentences. */
  readonly faults: readonly string[];
}

/** What a plugin without any needs has. */
export const noCredentials: Credentials = {
  env: {},
  found: new Map(),
  missing: [],
  locked: false,
  faults: [],
};

/** What the profile's configuration says about credentials. */
export interface CredentialSettings {
  readonly backend: string;
  readonly keyFile: string | null;
  readonly passphrase: string | null;
  readonly googleTokenCommand: readonly string[];
}

/** Every value that the plugin needs, each alias once, in the order of its manifest. */
export function credentialNeeds(plugin: Plugin): CredentialNeed[] {
  const described = plugin.credential_descriptors.map(
    ({ alias, display_name, setup_hint, env }): CredentialNeed => ({
      alias,
      displayName: display_name,
      setupHint: setup_hint,
      env,
      required: plugin.needs_user_creds.includes(env),
      from: "secret",
    }),
  );
  const known = new Set(described.map(({ alias }) => alias));
  const used = componentsIn(plugin.canary?.args ?? {});
  const components = plugin.auth_components
    .filter(({ alias }) => !known.has(alias))
    .flatMap((component) => componentNeed(plugin, component, used));
  const all = [...described, ...components];
  // T18: whoever looks after its own sign-in gets nothing of Google's from gum.
  return plugin.auth_strategy === "plugin_managed"
    ? all.filter(({ env, from }) => env !== googleTokenVariable && from !== "command")
    : all;
}

/** The variables that carry the user's values to the plugin, each once and in order; a forwarded token is among them. */
export function credentialVariables(plugin: Plugin): string[] {
  const needed = credentialNeeds(plugin).flatMap(({ env }) => env ?? []);
  return [...new Set([...plugin.needs_user_creds, ...needed])].toSorted();
}

/** What has to be done outside gum, for people to tick off. */
export function checklistOf(plugin: Plugin): AuthComponent[] {
  const asked = new Set(credentialNeeds(plugin).map(({ alias }) => alias));
  return plugin.auth_components.filter(({ kind, alias }) => {
    const external = !secretComponents.some((secret) => secret === kind);
    return external && (accountComponents.has(kind) || !asked.has(alias));
  });
}

function componentNeed(
  plugin: Plugin,
  { kind, alias, display_name, setup_hint, env }: AuthComponent,
  used: ReadonlySet<string>,
): CredentialNeed[] {
  const need = { alias, displayName: display_name, setupHint: setup_hint, env, required: true };
  if (kind === "google_access_token") {
    return plugin.auth_strategy === "compound"
      ? [{ ...need, env: googleTokenVariable, from: "command" }]
      : [];
  }
  const secret = secretComponents.some((known) => known === kind) || kind.startsWith("x-");
  const reachesSomething = env !== null || used.has(alias);
  if (secret) return kind.startsWith("x-") && !reachesSomething ? [] : [{ ...need, from: "secret" }];
  return reachesSomething ? [{ ...need, from: "text" }] : [];
}

/** A text of the manifest in which variables are called by their alias, since people and agents read it (T17). */
export function withoutVariables(plugin: Plugin, text: string): string {
  const aliases = new Map(credentialNeeds(plugin).map(({ env, alias }) => [env, alias]));
  return text.replace(/[A-Za-z_][A-Za-z0-9_]*/g, (word) => aliases.get(word) ?? word);
}
