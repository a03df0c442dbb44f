import { GumError } from "../base/errors.ts";

/** What a store says about a key. Locked and unavailable are never "absent": nobody could look. */
export type SecretAnswer =
  | { readonly kind: "found"; readonly value: string }
  | { readonly kind: "absent" }
  | StoreFault;

/** Why a store cannot be asked; the reason is the rest of a sentence that begins with "because". */
export interface StoreFault {
  readonly kind: "locked" | "unavailable";
  readonly reason: string;
}

/** A place where credentials are kept, or from which they are read. */
export interface SecretStore {
  readonly name: "keychain" | "file" | "environment";
  /** What people call it, such as "the Secret Service". */
  readonly title: string;
  /** Whether values can be kept in it at all. */
  readonly keeps: boolean;
  /** Whether it can be used now. */
  state(): Promise<{ readonly kind: "open" } | StoreFault>;
  get(key: string): Promise<SecretAnswer>;
  /** Keeps a value in the place of the one before; afterwards `get` finds exactly it. Else KEYCHAIN_UNAVAILABLE. */
  set(key: string, value: string): Promise<void>;
  /** Forgets a value; whether there was one. KEYCHAIN_UNAVAILABLE when nobody could look. */
  delete(key: string): Promise<boolean>;
}

/** Under which name a credential is kept (T15). Plugin ids and aliases hold no dots, so no two are the same. */
export function secretKey(profile: string, plugin: string, alias: string): string {
  return `gum.plugin.${profile}.${plugin}.${alias}`;
}

/** Longer values are no credentials, and not every keychain takes them. */
export const maxSecretBytes = 8192;

/** What is wrong with a value; undefined when it can be kept and can reach a plugin. */
export function valueFault(value: string): string | undefined {
  if (value === "") return "is empty";
  if (value.includes("\0")) return "holds a NUL character";
  if (!value.isWellFormed()) return "is not text";
  return new TextEncoder().encode(value).length > maxSecretBytes
    ? `is longer than ${maxSecretBytes} bytes`
    : undefined;
}

/** The error for a store that cannot be used. */
export function storeError(store: Pick<SecretStore, "title">, { kind, reason }: StoreFault): GumError {
  const what = kind === "locked" ? "is locked" : "cannot be used";
  return new GumError("KEYCHAIN_UNAVAILABLE", `${capital(store.title)} ${what}: ${reason}.`, {
    details: { state: kind },
    ...(kind === "locked" ? { hint: "unlock it and try again" } : {}),
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
