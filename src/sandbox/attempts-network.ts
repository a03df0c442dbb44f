import { text } from "../host/native/row.ts";
import { type Attempt, attempt, type Target, tries } from "./attempt.ts";
import { unixAddress } from "./plan-attest.ts";

const family = { unix: 1, inet: 2, inet6: 10, netlink: 16, packet: 17, alg: 38, vsock: 40 } as const;
const kind = { stream: 1, datagram: 2, raw: 3 } as const;
const icmp = 1;
const multipathTcp = 262;
const kernelEvents = 15;

const socket = (...args: readonly [number, number, number]) => [tries("socket", ...args)];

/** Sockets of every family; with the network declared, those that it does not include. */
export const networkAttempts: readonly Attempt[] = [
  attempt("network", "tcp", "open a TCP socket", () => socket(family.inet, kind.stream, 0)),
  attempt("network", "tcp6", "open a TCP socket over IPv6", () => socket(family.inet6, kind.stream, 0)),
  attempt("network", "udp", "open a UDP socket", () => socket(family.inet, kind.datagram, 0)),
  attempt("network", "mptcp", "open a multipath TCP socket", () =>
    socket(family.inet, kind.stream, multipathTcp),
  ),
  attempt("network", "netlink", "open a netlink socket", () => socket(family.netlink, kind.raw, 0)),
  ...[false, true].flatMap((network) => besides(network)),
];

function besides(network: boolean): Attempt[] {
  const id = (name: string) => (network ? `${name}-networked` : name);
  const more = { network };
  return [
    attempt("network", id("unix"), "open a unix socket", () => socket(family.unix, kind.stream, 0), more),
    attempt("network", id("unix-connect"), "connect to a unix socket of the machine", connectUnix, more),
    attempt("network", id("unix-datagram-pair"), "send datagrams through a pair", datagramPair, more),
    attempt("network", id("unix-raw-pair"), "send datagrams through a raw pair", rawPair, more),
    attempt("network", id("raw"), "open a raw socket", () => socket(family.inet, kind.raw, icmp), more),
    attempt("network", id("packet"), "open a packet socket", () => socket(family.packet, kind.raw, 0), more),
    attempt(
      "network",
      id("vsock"),
      "open a socket to the hypervisor",
      () => socket(family.vsock, 1, 0),
      more,
    ),
    attempt(
      "network",
      id("alg"),
      "open a socket to the kernel's ciphers",
      () => socket(family.alg, 5, 0),
      more,
    ),
    attempt(
      "network",
      id("kernel-events"),
      "listen to the kernel's events",
      () => socket(family.netlink, kind.raw, kernelEvents),
      more,
    ),
  ];
}

function connectUnix({ socket: path, free }: Target) {
  const address = unixAddress(path);
  return [
    tries("socket", family.unix, kind.stream, 0),
    tries("connect", free, address, address.bytes.length),
  ];
}

function datagramPair() {
  return [tries("socketpair", family.unix, kind.datagram, 0, text("12345678"))];
}

/** The kernel makes a pair of datagrams of it. */
function rawPair() {
  return [tries("socketpair", family.unix, kind.raw, 0, text("12345678"))];
}
