import type { Grants, Interpreter } from "./registry.ts";
import type { ListedTool } from "./session.ts";

export const canaryModes = ["live", "handshake", "skip"] as const;
export type CanaryMode = (typeof canaryModes)[number];

/** What the user said on the command line of `gum plugin install`. */
export interface InstallFlags {
  readonly yes: boolean;
  readonly strict: boolean;
  readonly owner?: string | undefined;
  readonly canary?: CanaryMode | undefined;
  readonly devAllowNamespaceConflict: boolean;
  readonly grants: Grants;
}

/** Where a plugin comes from: a folder on this machine. */
export interface FolderSource {
  readonly kind: "folder";
  readonly path: string;
}
export type Source = FolderSource;

/** One entry of a tree, as it is hashed: path relative to the root, POSIX separators. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: "file" | "link" | "folder";
  readonly mode: number;
  readonly size: number;
  /** SHA-256 of the content, of the target for a link, empty for a folder. */
  readonly sha256: string;
}

/** The plugin's files, copied into the host-managed folder where they will stay. */
export interface Staged {
  readonly installRoot: string;
  readonly sourceSha256: string;
  readonly entries: readonly TreeEntry[];
  /** A folder of this install alone, gone when it ends. */
  readonly scratch: string;
  readonly txid: string;
}

/** What exactly will run: the proof that later steps need before they start anything. */
export interface Binding {
  readonly installRoot: string;
  readonly executablePath: string;
  readonly executableSha256: string;
  /** The program and its arguments; for a script, interpreter and script come first. */
  readonly argv: readonly string[];
  readonly interpreter: Interpreter | null;
  readonly sourceSha256: string;
  readonly treeSha256: string;
  readonly fileCount: number;
  readonly totalBytes: number;
  /** Name of the seal file beside the install root. */
  readonly seal: string;
}

/** The right to use a prefix and an id in this profile. */
export interface Claim {
  readonly names: readonly string[];
  readonly owner: string;
  /** Conflicts that a dev profile passed over; the claim of the other owner stays. */
  readonly overridden: readonly string[];
}

/** Somebody said yes, or had said yes before. */
export interface ConsentGiven {
  readonly how: "asked" | "flag" | "dev-profile" | "remembered";
  readonly grants: Grants;
}

/** How the trial went. */
export interface CanaryReport {
  readonly mode: CanaryMode;
  readonly ok: boolean;
  readonly code: string | null;
  readonly reason: string | null;
  readonly latencyMs: number;
  readonly spawnMs: number;
  /** Credentials are missing, so it was not tried. */
  readonly needsConfiguration: boolean;
  /** The tools as the running plugin listed them. */
  readonly listed: readonly ListedTool[];
}
