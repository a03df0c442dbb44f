// The confined process proves its own confinement before it becomes the plugin (T21): it does twice, once before
// and once after, what must be refused. The first time shows that nothing else stands in the way (the file is there
// and may be written, the listener listens), so that the second refusal can only be the sandbox's. Each refusal
// must carry the errno of the layer that it is to prove; any other answer, success above all, ends the launch.
import { type Data, data, type Row, text } from "../host/native/row.ts";
import { decidesTcp } from "./landlock.ts";

export interface Attestation {
  /** A file that gum has just written and that only the sandbox keeps from being written again. */
  readonly file: string;
  /** Where the watchdog, which stays outside, listens. */
  readonly socket: string;
}

const here = -100; // AT_FDCWD
const writeOnly = 0o2000001; // O_WRONLY | O_CLOEXEC
const streamSocket = 0o2000001; // SOCK_STREAM | SOCK_CLOEXEC
const family = { unix: 1, inet: 2 } as const;
const permissionDenied = -13; // EACCES: Landlock
const notPermitted = -1; // EPERM: the filter

/** Opens the listener that the watchdog will hold. */
export function openListener({ socket }: Attestation, free: number): Row[] {
  const address = unixAddress(socket);
  return [
    { name: "make a listener", call: "socket", args: [family.unix, streamSocket, 0], expect: free },
    { name: "make a listener", call: "bind", args: [free, address, address.bytes.length], expect: 0 },
    { name: "make a listener", call: "listen", args: [free, 1], expect: 0 },
  ];
}

/** Unconfined, both succeed. */
export function attestControl({ file, socket }: Attestation, free: number): Row[] {
  const address = unixAddress(socket);
  return [
    {
      name: "write a file, unconfined",
      call: "openat",
      args: [here, text(file), writeOnly, 0],
      expect: free,
    },
    { name: "write a file, unconfined", call: "close", args: [free], expect: 0 },
    { name: "connect, unconfined", call: "socket", args: [family.unix, streamSocket, 0], expect: free },
    { name: "connect, unconfined", call: "connect", args: [free, address, address.bytes.length], expect: 0 },
    { name: "connect, unconfined", call: "close", args: [free], expect: 0 },
  ];
}

/** Under Landlock the same file cannot be opened, and without `network` TCP leads nowhere. */
export function attestLandlock(
  { file }: Attestation,
  { landlockAbi, network, free }: { landlockAbi: number; network: boolean; free: number },
): Row[] {
  const write: Row = {
    name: "be refused to write a file",
    call: "openat",
    args: [here, text(file), writeOnly, 0],
    expect: permissionDenied,
  };
  if (network || !decidesTcp(landlockAbi)) return [write];
  const address = loopbackAddress(9);
  const name = "be refused to connect by TCP";
  const afterTcp = "after TCP";
  return [
    write,
    // No TCP at all on this machine is a refusal too.
    {
      name,
      call: "socket",
      args: [family.inet, streamSocket, 0, 0, 0, { row: afterTcp }],
      expect: "or-else",
    },
    { name, call: "connect", args: [free, address, address.bytes.length], expect: permissionDenied },
    { label: afterTcp, name: "close it again", call: "close_range", args: [free, 0xffffffff, 0], expect: 0 },
  ];
}

/** Under the filter there is no socket to connect to the listener with, and without `network` none at all. */
export function attestFilter(network: boolean): Row[] {
  const families = network ? [family.unix] : [family.unix, family.inet];
  return families.map((number) => ({
    name: "be refused a socket",
    call: "socket",
    args: [number, streamSocket, 0],
    expect: notPermitted,
  }));
}

/** The longest path that fits into `struct sockaddr_un` with its end. */
const longestPath = 107;

/** `struct sockaddr_un`. A path that is too long for it becomes an abstract name: its end, which is unique. */
export function unixAddress(path: string): Data {
  const { bytes } = text(path);
  if (bytes.length <= longestPath + 1) return data(Uint8Array.from([family.unix, 0, ...bytes]));
  return data(Uint8Array.from([family.unix, 0, 0, ...bytes.slice(-longestPath, -1)]));
}

/** `struct sockaddr_in` for 127.0.0.1. */
export function loopbackAddress(port: number): Data {
  return data(Uint8Array.from([family.inet, 0, port >> 8, port & 255, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]));
}
