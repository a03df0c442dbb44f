import type { FilterWriter } from "./filter-writer.ts";

const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
const stream = 1;
const datagram = 2;
/** The kind without SOCK_NONBLOCK and SOCK_CLOEXEC. */
const kindMask = 0xf;
/** The default, TCP and UDP: no raw, ICMP, SCTP or multipath sockets. */
const protocols = [0, 6, 17];
const netlinkRoute = 0;

/**
 * Sockets by family, kind and protocol. Unix sockets reach the services of the machine whatever Landlock says,
 * so there are none; a pair of connected streams reaches nobody, but a datagram pair can send to any address, and
 * for the kernel a raw pair is one of datagrams.
 */
export function addSocketGuards(writer: FilterWriter, network: boolean): void {
  writer.guard("socketpair", (on) => {
    on.unless(0, [families.unix], "forbidden");
    on.unless(1, [stream], "forbidden", kindMask);
  });
  if (!network) {
    writer.answerAll(["socket", "listen"], "forbidden");
    return;
  }
  writer.guard("socket", (on) => {
    for (const family of [families.inet, families.inet6]) {
      on.inCase(0, family, () => {
        on.unless(1, [stream, datagram], "forbidden", kindMask);
        on.unless(2, protocols, "no-protocol");
      });
    }
    on.inCase(0, families.netlink, () => on.unless(2, [netlinkRoute], "forbidden"));
    on.always("forbidden");
  });
}
