// What the operations around keys, packages, proofs and the registry's past answer; spelt as in the JSON.
import type { ErrorCode } from "../base/error-codes.ts";
import type { Warning } from "../base/errors.ts";
import type { AuditRow } from "../model/audit.ts";
import type { GenerationChange } from "../model/generation.ts";

export interface KeyView {
  readonly id: string;
  readonly name: string | null;
  readonly kind: "ed25519" | "rsa";
  /** The private half is in this profile, too. */
  readonly own: boolean;
  readonly state: "trusted" | "revoked" | "untrusted";
}

export interface KeyGenerateAnswer {
  readonly ok: true;
  readonly id: string;
  readonly name: string | null;
  readonly private_file: string;
  readonly public_file: string;
}

export interface KeyChangeAnswer {
  readonly ok: true;
  readonly id: string;
  readonly state: "trusted" | "revoked";
  /** False when the key was so before. */
  readonly changed: boolean;
}

export interface PackAnswer {
  readonly ok: true;
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
  readonly entries: number;
  readonly plugin: string;
  readonly version: string;
  readonly signature: { readonly file: string; readonly key_id: string } | null;
  readonly warnings: readonly Warning[];
}

export interface VerifiedPlugin {
  readonly id: string;
  readonly version: string;
  readonly ok: boolean;
  /** What is wrong; null when nothing is. */
  readonly code: ErrorCode | null;
  readonly message: string | null;
  readonly entries: number | null;
  /** How many entries were read; the rest looked untouched. */
  readonly hashed: number | null;
  readonly signature: { readonly verified: boolean; readonly key_id: string | null };
  readonly details: Readonly<Record<string, unknown>> | null;
}

export interface VerifyAnswer {
  readonly ok: boolean;
  readonly deep: boolean;
  /** Which of the registry's own files are not as gum wrote them. */
  readonly registry: { readonly generation: number; readonly altered: readonly string[] };
  readonly plugins: readonly VerifiedPlugin[];
  readonly warnings: readonly Warning[];
}

export interface VerifyFileAnswer {
  readonly ok: boolean;
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
  readonly signature: {
    readonly state: "verified" | "unsigned" | "untrusted" | "invalid" | "revoked";
    readonly key_id: string | null;
    readonly reason: string | null;
  };
}

export interface HistoryView {
  readonly generation: number;
  readonly txid: string;
  readonly at: string;
  readonly command: string;
  readonly changes: readonly GenerationChange[];
  readonly current: boolean;
}

export interface RollbackAnswer {
  readonly ok: true;
  readonly to: number;
  readonly generation: number;
  readonly plugins: readonly { readonly id: string; readonly version: string }[];
  readonly warnings: readonly Warning[];
}

export interface GcAnswer {
  readonly ok: true;
  readonly roots: number;
  readonly schemas: number;
  readonly in_use: number;
}

export interface TransferAnswer {
  readonly ok: true;
  readonly prefix: string;
  readonly from: string;
  /** Null when the prefix was released. */
  readonly to: string | null;
  readonly generation: number;
}

export interface AuditVerifyAnswer {
  readonly ok: true;
  readonly rows: number;
  readonly parts: number;
  readonly first_seq: number;
  readonly head: { readonly seq: number; readonly sha256: string };
  readonly torn: boolean;
  readonly anchored: number;
}

export type AuditRowAnswer = AuditRow;

export interface ConfigView {
  readonly key: string;
  /** Null when it is unset, and for secrets, which are never shown. */
  readonly value: boolean | number | string | readonly string[] | null;
  readonly origin: "default" | "file" | "env";
  readonly secret: boolean;
  readonly summary: string;
}

export interface ConfigChangeAnswer {
  readonly ok: true;
  readonly key: string;
  readonly value: ConfigView["value"];
  readonly origin: ConfigView["origin"];
  readonly changed: boolean;
  readonly warnings: readonly Warning[];
}
