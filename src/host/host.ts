// The only door to the world. Every effect of gum goes through one of these ports, so that a test can fake
// or break each of them, and so that everything outside host/ runs unchanged under Bun and Deno.
import type { Readable, Writable } from "node:stream";

export interface Host {
  readonly files: Files;
  readonly processes: Processes;
  readonly network: Network;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly terminal: Terminal;
  readonly keychain: Keychain;
  readonly log: Log;
  /** The environment that gum itself was started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Random lower-case hex digits from the system's generator. */
  randomHex(digits: number): string;
}

/** Files. Paths are absolute. Failures are errno errors (`isErrno(error, "ENOENT")`). */
export interface Files {
  readText(path: string, options?: ReadOptions): Promise<string>;
  readBytes(path: string, options?: ReadOptions): Promise<Uint8Array>;
  /** Creates the file (EEXIST when it is there) and writes it whole; `sync` also fsyncs it. */
  writeNew(path: string, data: string | Uint8Array, options: { mode: number; sync?: boolean }): Promise<void>;
  /** Replaces the file by writing a neighbour and renaming it. */
  replace(path: string, data: string | Uint8Array, options: { mode: number; sync?: boolean }): Promise<void>;
  /** Appends in one write; creates the file with `mode` when it is absent. */
  append(path: string, data: string, options: { mode: number }): Promise<void>;
  open(path: string, how: OpenMode): Promise<OpenFile>;
  stat(path: string): Promise<FileFacts>;
  lstat(path: string): Promise<FileFacts>;
  exists(path: string): Promise<boolean>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  /** Names in the folder, sorted by code unit. */
  list(path: string): Promise<string[]>;
  mkdir(path: string, options: { mode: number; recursive?: boolean }): Promise<void>;
  /** A new, empty, private folder below `parent`. */
  mkdtemp(parent: string, prefix: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes a file or a whole tree, read-only folders included; absent is fine. Links are removed, not followed. */
  removeTree(path: string): Promise<void>;
  /** Removes a folder that is empty; false when it holds something or is absent. */
  removeEmpty(path: string): Promise<boolean>;
  /** Flushes a folder's entries. */
  syncFolder(path: string): Promise<void>;
  /** Takes an exclusive advisory lock on the file (made with 0600 when absent); undefined when the time is over. */
  lock(
    path: string,
    options: { waitMs: number; shared?: boolean; signal?: AbortSignal },
  ): Promise<HeldLock | undefined>;
}

export interface ReadOptions {
  /** More than this many bytes is the errno error EFBIG. */
  readonly maxBytes?: number;
  /** A symbolic link at the end of the path is ELOOP. */
  readonly noFollow?: boolean;
}

export type OpenMode = "read" | "read-no-follow" | "write-new" | "append";

/** An open descriptor; closing it twice is fine. */
export interface OpenFile {
  readonly fd: number;
  stat(): Promise<FileFacts>;
  /** Bytes read into the buffer from the position; 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  write(data: Uint8Array): Promise<void>;
  chmod(mode: number): Promise<void>;
  sync(): Promise<void>;
  /** SHA-256 of the whole content, read through this descriptor. */
  sha256(): Promise<string>;
  close(): Promise<void>;
}

export interface HeldLock {
  /** Replaces the text in the lock file, which tells others who holds it. */
  describe(text: string): Promise<void>;
  release(): Promise<void>;
}

export interface FileFacts {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
  /** Permission bits with setuid, setgid and sticky: mode & 0o7777. */
  readonly mode: number;
  readonly uid: number;
  readonly ino: bigint;
  readonly dev: bigint;
  readonly nlink: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export interface Processes {
  /** Starts a program; no shell, no PATH search: `file` is a path. Rejects with an errno error when it cannot start. */
  spawn(spec: SpawnSpec): Promise<Child>;
}

export interface SpawnSpec {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** One entry per descriptor from 0 on; a number is a descriptor of gum that the child gets. */
  readonly stdio: readonly ("pipe" | "ignore" | number)[];
  /** Own process group and session. */
  readonly detached?: boolean;
}

export interface Child {
  readonly pid: number;
  /** gum's ends of the "pipe" entries, by descriptor number; both directions where the platform gives a socket. */
  readonly pipes: readonly (Pipe | undefined)[];
  /** Settles when the process has ended; its pipes may still hold data. */
  readonly exited: Promise<Exit>;
  /** Sends a signal; false when the process is gone. */
  kill(signal: "SIGTERM" | "SIGKILL" | "SIGINT"): boolean;
  killGroup(signal: "SIGTERM" | "SIGKILL" | "SIGINT"): boolean;
  /** Lets gum's own process end although this child runs. */
  unref(): void;
}

export type Pipe = Readable & Writable;

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Network {
  /**
   * One GET request over http or https: no redirect is followed and the body is not decoded. The proxy variables of
   * gum's own environment are honoured. Rejects with an error whose `code` is an errno name where the system gave one.
   */
  get(url: string, options: GetOptions): Promise<HttpAnswer>;
  /**
   * Serves HTTP on one address. Each request is read whole before it is answered: one whose head or body comes too
   * slowly, or is too large, is refused here. Rejects with an errno error when the address cannot be had.
   */
  listen(options: ListenOptions, answer: (request: Request) => Promise<Response>): Promise<Listener>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly maxBodyBytes: number;
  /** How long a request may take to arrive. */
  readonly requestTimeoutMs: number;
  readonly maxConnections: number;
}

export interface Listener {
  readonly port: number;
  /** Takes no more requests and ends those that are under way. Idempotent. */
  close(): Promise<void>;
}

export interface GetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request and the reading of its body. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** The value of a header, by its name in any case. */
  header(name: string): string | undefined;
  /** To be read to its end, or cancelled by leaving the loop. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never jump. */
  monotonic(): number;
  /** Resolves after the time, rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly cwd: string;
  readonly hostname: string;
  /** The version of Node that modules find in `process.versions.node`. */
  readonly nodeVersion: string;
  /** How to start gum again: a file and the arguments that come before gum's own. */
  readonly self: { readonly file: string; readonly args: readonly string[] };
}

export interface Terminal {
  /** Whether a person reads this stream. */
  readonly interactive: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly colour: boolean;
  readonly columns: number;
  /** Answers go to stdout, everything else to stderr; both are flushed before gum ends. Throws OutputError. */
  out(text: string): void;
  err(text: string): void;
  /** All of standard input as text. */
  readInput(options: { maxBytes: number }): Promise<string>;
  /** Standard input and output for a protocol that owns both; `out` is not to be used beside it. */
  streams(): { readonly input: Readable; readonly output: Writable };
  /** One line typed by a person; undefined at the end of input. */
  ask(question: string, options?: { signal?: AbortSignal }): Promise<string | undefined>;
  /** A value typed or pasted by a person of which nothing is shown; undefined at the end of input. */
  askSecret(question: string, options?: { signal?: AbortSignal }): Promise<string | undefined>;
}

/**
 * The keychain of the operating system. Failures are errors in the words of the system. A locked keychain may look
 * empty: `get` finds nothing, `delete` has nothing to delete, and only `set` fails.
 */
export interface Keychain {
  /** What people call it, such as the Secret Service. */
  readonly name: string;
  /** Why this machine has none, as the rest of a sentence that begins with "because"; undefined when it may have one. */
  readonly absence: string | undefined;
  get(service: string, account: string): Promise<string | undefined>;
  set(service: string, account: string, value: string): Promise<void>;
  /** Whether there was one. */
  delete(service: string, account: string): Promise<boolean>;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export interface Log {
  readonly level: LogLevel;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}
