// An escape attempt is a few syscalls that must not work inside the sandbox, as rows: it needs no other program on
// the machine. Each is made twice, without and with the sandbox; only a refusal of what otherwise works is a proof.
import type { Host } from "../host/host.ts";
import type { SyscallName } from "../host/native/numbers.ts";
import type { Arg, Expect, Row } from "../host/native/row.ts";

/** What an attempt can aim at. */
export interface Target {
  /** A folder that the plugin has no business in, with `secret`, `victim`, `folder/` in it. */
  readonly outside: string;
  /** The plugin's own data, with an executable `dropped` in it. */
  readonly data: string;
  /** The plugin's installed files, with `file` in it. */
  readonly root: string;
  /** A unix socket that somebody listens on. */
  readonly socket: string;
  /** A process of the same user. */
  readonly victimPid: number;
  readonly gumPid: number;
  /** The number that the next opened descriptor gets. */
  readonly free: number;
}

export type Area = "files" | "metadata" | "network" | "processes" | "kernel" | "ipc";

export interface Attempt {
  readonly id: string;
  readonly area: Area;
  /** What is tried, to stand behind "a plugin cannot". */
  readonly what: string;
  /** Whether the plugin has declared the network. */
  readonly network: boolean;
  rows(target: Target): readonly Row[];
  /** For what is answered with success and not done: whether it was done. */
  happened?(host: Host, target: Target): Promise<boolean>;
  /** Facets of older kernels that leave it open. */
  readonly needsAbi?: number;
}

/** One attempt without the network. */
export function attempt(
  area: Area,
  id: string,
  what: string,
  rows: Attempt["rows"],
  more: Partial<Pick<Attempt, "network" | "happened" | "needsAbi">> = {},
): Attempt {
  return { area, id, what, rows, network: false, ...more };
}

/** A syscall whose result is told. */
export function tries(call: SyscallName, ...args: readonly Arg[]): Row {
  return row(call, args, "report");
}

/** A syscall that only prepares or tidies up. */
export function also(call: SyscallName, ...args: readonly Arg[]): Row {
  return row(call, args, "any");
}

function row(call: SyscallName, args: readonly Arg[], expect: Expect): Row {
  return { name: call, call, args, expect };
}

export const here = -100; // AT_FDCWD
