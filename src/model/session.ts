// One interface for every wire: open a session, see what the plugin offers, call it, close it.
import type { Readable, Writable } from "node:stream";
import type { GumError } from "../base/errors.ts";

/** A started plugin as a wire sees it: three streams and two ways to end it. */
export interface Plumbing {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the process has ended; its streams may still hold data. */
  readonly exited: Promise<ExitStatus>;
  /** Asks the process group to end (SIGTERM); without it a close goes on to `end` at once. */
  terminate?(): void;
  /** Ends the whole process tree now (SIGKILL). Idempotent, also after the process has ended by itself. */
  end(): void;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A tool as the running plugin lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

export interface Description {
  readonly server: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  readonly tools: readonly ListedTool[];
  /** Tools that were left out of `tools`, with the reason. */
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
}

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Told what the plugin sent, before gum reads it, for callers that pass it on as it is. */
  readonly onReply?: ((reply: RawReply) => void) | undefined;
}

/** What a plugin answered on its wire. */
export type RawReply =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly code: number; readonly message: string; readonly data?: unknown };

/** Somebody behind gum who can answer a plugin, such as the caller of an exposed tool. */
export interface Peer {
  /** Answers sampling/createMessage, elicitation/create and roots/list; without it gum answers by itself. */
  request?(method: string, params: MessageParams, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Hears logging messages, list_changed and resource updates. */
  notification?(method: string, params: MessageParams): void;
}

export type MessageParams = Readonly<Record<string, unknown>> | undefined;

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The plugin's own answer, before gum maps it: success with a payload, or a plugin-local error. */
export type Answer =
  | ({ readonly ok: true } & Success)
  | { readonly ok: false; readonly error: PluginLocalError };

export interface Success {
  /** `{ success: true, data }`, as the plugin said it or as gum wrapped it. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The payload as the plugin wrote it, when it was JSON text: long numbers keep their digits. */
  readonly text?: string | undefined;
  /** Blocks beside the payload: images, audio, links. */
  readonly content?: readonly unknown[] | undefined;
}

export interface PluginLocalError {
  /** What the plugin said, null when it said none. */
  readonly code: string | null;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  /** How W9's table spells the code, on a wire that spells it otherwise. */
  readonly tableCode?: string | undefined;
  /** The stable code, on a wire whose own codes say it. */
  readonly stable?: "OP_NOT_FOUND" | "INVALID_ARGS" | "SERVICE_DOWN" | undefined;
}

export interface Session {
  /** Everything the plugin offers; asked once, then remembered. */
  describe(): Promise<Description>;
  /** Calls one tool. Host failures (crash, timeout, malformed) are thrown as GumError. */
  call(tool: string, args: unknown, options: CallOptions): Promise<Answer>;
  /**
   * All that can be tried of a plugin without a call, on wires whose `describe` proves nothing; it ends the session and
   * throws why the plugin is no good (C14).
   */
  probe?(timeoutMs: number): Promise<void>;
  /** Settles when the session is over: with the reason when the plugin died, with nothing after `close`. */
  readonly over?: Promise<GumError | undefined>;
  /** What is kept of stderr. */
  stderrTail?(): string;
  /** Ends the plugin and its whole process tree. Idempotent. */
  close(): Promise<void>;
}
