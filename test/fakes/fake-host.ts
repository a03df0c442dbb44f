import type { Child, Host, Log, LogLevel, Machine, Network, SpawnSpec } from "../../src/host/host.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createFakeFiles, type FakeFiles } from "./fake-files.ts";
import { createFakeKeychain, type FakeKeychain } from "./fake-keychain.ts";
import { createFakeTerminal, type FakeTerminal, type FakeTerminalOptions } from "./fake-terminal.ts";

export interface FakeHostOptions {
  /** Path → content, `{ link: target }` for a symbolic link; a path that ends in / is an empty folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;
  readonly terminal?: FakeTerminalOptions;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly machine?: Partial<Machine>;
  readonly logLevel?: LogLevel;
  /** What a started program does; without it none can start (ENOENT). */
  readonly spawn?: (spec: SpawnSpec) => Promise<Child>;
  /** What the network answers; without it there is none (ENETUNREACH). */
  readonly get?: Network["get"];
  /** Without it the machine has none. */
  readonly keychain?: FakeKeychain;
}

export interface FakeHost extends Host {
  readonly files: FakeFiles;
  readonly clock: FakeClock;
  readonly terminal: FakeTerminal;
  /** Every program that was to be started. */
  readonly spawned: readonly SpawnSpec[];
  /** Every line that was logged, as `level: message`, whatever the level. */
  readonly logged: readonly string[];
}

/** A whole world in memory: nothing of the real one is read or changed. */
export function createFakeHost(options: FakeHostOptions = {}): FakeHost {
  const clock = createFakeClock();
  const spawned: SpawnSpec[] = [];
  const logged: string[] = [];
  let random = 0;
  return {
    files: createFakeFiles(clock, { "/home/user/": "", "/tmp/": "", ...options.files }),
    processes: {
      async spawn(spec) {
        spawned.push(spec);
        if (options.spawn !== undefined) return options.spawn(spec);
        throw Object.assign(new Error(`ENOENT: ${spec.file}`), { code: "ENOENT" });
      },
    },
    network: {
      get:
        options.get ??
        (() => Promise.reject(Object.assign(new Error("ENETUNREACH"), { code: "ENETUNREACH" }))),
      listen: () => Promise.reject(Object.assign(new Error("EACCES"), { code: "EACCES" })),
    },
    clock,
    machine: {
      platform: "linux",
      arch: "x64",
      pid: 4242,
      uid: 1000,
      gid: 1000,
      home: "/home/user",
      cwd: "/home/user",
      hostname: "host",
      nodeVersion: "24.3.0",
      self: { file: "/usr/bin/gum", args: [] },
      ...options.machine,
    },
    terminal: createFakeTerminal(options.terminal),
    keychain: options.keychain ?? createFakeKeychain({ absence: "this world has none" }),
    log: createFakeLog(options.logLevel ?? "warn", logged),
    env: options.env ?? { HOME: "/home/user" },
    randomHex: (digits) => (++random).toString(16).padStart(digits, "0").slice(-digits),
    spawned,
    logged,
  };
}

function createFakeLog(level: LogLevel, logged: string[]): Log {
  return {
    level,
    debug: (message) => void logged.push(`debug: ${message}`),
    info: (message) => void logged.push(`info: ${message}`),
    warn: (message) => void logged.push(`warn: ${message}`),
  };
}
