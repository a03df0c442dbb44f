import type { CredentialOrigin } from "./credentials.ts";

/** One credential that a person is asked for. */
export interface CredentialQuestion {
  readonly alias: string;
  readonly displayName: string;
  readonly setupHint: string;
  readonly required: boolean;
  /** Whether what is typed must not be shown. */
  readonly secret: boolean;
  /** Where a value is already, which an empty answer leaves as it is. */
  readonly found: CredentialOrigin | null;
}

/** Asks a person; undefined when they will answer nothing any more. */
export type AskCredential = (question: CredentialQuestion) => Promise<string | undefined>;

/** How `gum plugin setup` gets the values. */
export interface SetupRequest {
  /** Values that were given by alias. */
  readonly given: ReadonlyMap<string, string>;
  /** Take those that the user's environment has. */
  readonly fromEnvironment: boolean;
  /** Ask for the rest; without it nobody is asked. */
  readonly ask?: AskCredential | undefined;
}

/** What `gum plugin remove` was told. */
export interface RemovalRequest {
  readonly yes: boolean;
  /** Forget the plugin's data and credentials, too. */
  readonly purge: boolean;
  /** Asks a person; "no-terminal" when nobody is there. */
  ask(plugin: string, version: string): Promise<boolean | "no-terminal">;
}

/** What a removal took away beside the plugin itself. */
export interface Purged {
  /** Aliases of forgotten credentials. */
  readonly credentials: readonly string[];
  readonly data: boolean;
}
