import type { Profile } from "./profile.ts";
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

/** Where a plugin comes from. Digests are 64 lower-case hex digits, commits 40. */
export type Source =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string; readonly sha256?: string | undefined }
  | { readonly kind: "url"; readonly url: string; readonly sha256: string }
  | { readonly kind: "git"; readonly url: string; readonly commit: string };

/** What was fetched: a folder as it is, an archive's private copy, or the files of a commit. */
export type Artifact =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string; readonly sha256: string; readonly size: number }
  | { readonly kind: "checkout"; readonly path: string };

/** The folder of one install in which work in progress lies; it is always removed. */
export interface Workplace {
  readonly txid: string;
  readonly folder: string;
  /** Moves a copied tree of this folder to a new install root. */
  moveToRoot(profile: Profile, pluginId: string, sourceSha256: string, name: string): Promise<string>;
  /** Takes an install root back that was not published. */
  removeRoot(profile: Profile, installRoot: string): Promise<void>;
  close(): Promise<void>;
}

/** The program that a manifest names: a file of the folder, or a script that an environment has to provide. */
export type ProgramKind = "file" | "script";

/** One entry of a tree, as it is hashed: path relative to the root, POSIX separators. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: "file" | "link" | "folder";
  readonly mode: number;
  readonly size: number;
  /** SHA-256 of the content, of the target for a link, empty for a folder. */
  readonly sha256: string;
}

/** What was proven about the files that the manifest vouches for. */
export interface Integrity {
  /** SHA-256 of each file below dist/ by its path from there; null where the manifest declares no digest. */
  readonly dist: ReadonlyMap<string, string> | null;
}

/** Who vouches for the package; without a verified signature, nobody. */
export interface PackageSignature {
  readonly verified: boolean;
  readonly keyId: string | null;
}

/** How closely installed files are looked at: those that look touched, or all of them. */
export type VerifyDepth = "seal" | "deep";

/** How much there was to look at, and how much of it was read. */
export interface Verification {
  readonly entries: number;
  readonly hashed: number;
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

/** The install root as it will be hashed, with the environment that was built in it, if any. */
export interface Built {
  readonly entries: readonly TreeEntry[];
  /** The program below the install root. */
  readonly program: string;
  /** The environment's own python, which runs the program whatever its first line says. */
  readonly python: Interpreter | null;
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
