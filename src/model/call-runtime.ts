// What a process that makes calls lends to each of them: a command lends it once, a server for its life.
import type { AuditEvent } from "./audit.ts";
import type { CallRequest } from "./call.ts";
import type { Registry, Status } from "./registry.ts";
import type { Peer, Session, Success } from "./session.ts";

export interface CallRuntime {
  /** The registry as it is now, with what this process has activated. */
  registry(): Promise<Registry>;
  /** A plugin's status for this process; undefined when it is not installed. */
  statusOf(registry: Registry, plugin: string): Status | undefined;
  readonly sessions: SessionSource;
  /** Who answers a plugin's own requests and hears its notifications. */
  peerOf?(plugin: string): Peer;
  readonly schemas: SchemaChecks;
  readonly settings: CallSettings;
  /** The audit log, for a process that writes many rows; others write each by itself. */
  readonly audit?: { append(event: AuditEvent): Promise<unknown> } | undefined;
  /** What has been warned about already, so that it is said once. */
  readonly warned: Set<string>;
}

/** What the profile's configuration says about calls. */
export interface CallSettings {
  readonly strictResults: boolean;
  readonly connectTimeoutMs: number;
  readonly callTimeoutMs: number;
  readonly allowLongerTimeouts: boolean;
}

/** Which process a session belongs to: another install of the same plugin is another process. */
export interface SessionOwner {
  readonly plugin: string;
  readonly version: string;
  readonly installRoot: string;
  /** What the operator has granted, as text: a process that was started under other terms is another process. */
  readonly terms?: string | undefined;
  /** A process of this plugin answers one call and ends. */
  readonly oneShot?: boolean | undefined;
}

/** A session that is lent for one call. */
export interface LentSession {
  readonly session: Session;
  /** Gives it back; whether the plugin goes on running is the source's affair. Idempotent. */
  release(): Promise<void>;
}

/** Where sessions come from: started for one command, or kept between the calls of a server. */
export interface SessionSource {
  /** A session with a process that already runs, or is being started; undefined when there is none. */
  borrow(owner: SessionOwner, signal: AbortSignal): Promise<LentSession | undefined>;
  /** Starts the process. It settles only when `start` has, so that what was verified stays open as long as it is needed. */
  open(
    owner: SessionOwner,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Session>,
  ): Promise<LentSession>;
}

/** How a value fits a schema; a schema that cannot be used says nothing about the value. */
export type SchemaVerdict =
  | {
      readonly kind: "checked";
      readonly violations: readonly { readonly pointer: string; readonly message: string }[];
    }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "too_slow"; readonly deadlineMs: number };

export interface SchemaChecks {
  /** Checks a value; `lane` is the plugin whose schema it is. */
  check(lane: string, schema: unknown, value: unknown): Promise<SchemaVerdict>;
}

/** Why a plugin may answer: its file was hashed just now, it runs since it was hashed, or it need not answer. */
export type Verified<Executable> =
  | { readonly how: "hashed"; readonly file: Executable }
  | { readonly how: "running"; readonly lent: LentSession }
  | { readonly how: "unneeded" };

/** What the cache has for a call. */
export type CacheLookup =
  | { readonly use: "off" }
  | { readonly use: "miss"; readonly key: string; readonly ttlMs: number }
  | { readonly use: "hit"; readonly answer: Success; readonly storedAt: string };

/** Whether an answer to this request may come from, or go to, the cache at all. */
export function mayCache(
  request: CallRequest,
  risk: string,
  ttlSeconds: number | null,
): ttlSeconds is number {
  return risk === "read" && ttlSeconds !== null && ttlSeconds > 0 && request.noCache !== true;
}
