import { describe, expect, test } from "bun:test";
import { buildFilter, type FilterInput } from "../../src/sandbox/filter.ts";
import { decide } from "./bpf-machine.ts";

const x64 = 0xc000003e;
const arm64 = 0xc00000b7;
const usual: FilterInput = { arch: "x64", network: false, exec: true, landlockAbi: 7 };
const filterOf = (change: Partial<FilterInput> = {}) => buildFilter({ ...usual, ...change });

type Case = readonly [what: string, nr: number, args: readonly (number | bigint)[], decision: string];

function table(filter: Uint8Array, cases: readonly Case[], arch = x64): void {
  for (const [what, nr, args, decision] of cases) {
    expect(`${what}: ${decide(filter, { nr, arch, args })}`).toBe(`${what}: ${decision}`);
  }
}

const eperm = "errno 1";
const enosys = "errno 38";
const enotsup = "errno 95";
const eprotonosupport = "errno 93";
const pretended = "success without effect";

describe("T20 the filter", () => {
  test("T20 kills a process that uses another architecture's table", () => {
    expect(decide(filterOf(), { nr: 0, arch: 0x40000003 })).toBe("kill");
    expect(decide(filterOf(), { nr: 0, arch: arm64 })).toBe("kill");
    expect(decide(filterOf(), { nr: 0x40000000, arch: x64 })).toBe("kill");
    expect(decide(filterOf({ arch: "arm64" }), { nr: 63, arch: x64 })).toBe("kill");
  });

  test("T20 knows no syscall that was not looked at", () => {
    table(filterOf(), [
      ["the last reviewed", 468, [], "allow"],
      ["listns", 470, [], enosys],
      ["far away", 5000, [], enosys],
    ]);
  });

  test("T20 allows what every program does", () => {
    table(filterOf(), [
      ["read", 0, [], "allow"],
      ["write", 1, [], "allow"],
      ["mmap", 9, [], "allow"],
      ["fork", 57, [], "allow"],
      ["execve", 59, [], "allow"],
      ["kill", 62, [-1], "allow"],
      ["openat for writing", 257, [-100, 1, 0o1101, 0o644], "allow"],
      ["openat with O_TRUNC for reading", 257, [-100, 1, 0o1000, 0], "allow"],
      ["memfd_create", 319, [], "allow"],
      ["execveat", 322, [], "allow"],
      ["clone for a thread", 56, [0x3d0f00], "allow"],
      ["clone for a process", 56, [0x1200011], "allow"],
      ["socketpair of streams", 53, [1, 1 | 0o2000000, 0], "allow"],
      ["own limits", 302, [0, 7], "allow"],
      ["own priority", 141, [0, 0, 5], "allow"],
    ]);
  });

  test("T20 forbids looking into, steering and namespaces", () => {
    table(filterOf(), [
      ["ptrace", 101, [], eperm],
      ["process_vm_readv", 310, [], eperm],
      ["pidfd_getfd", 438, [], eperm],
      ["bpf", 321, [], eperm],
      ["perf_event_open", 298, [], eperm],
      ["userfaultfd", 323, [], eperm],
      ["keyctl", 250, [], eperm],
      ["add_key", 248, [], eperm],
      ["mount", 165, [], eperm],
      ["fsopen", 430, [], eperm],
      ["setns", 308, [], eperm],
      ["unshare a user namespace", 272, [0x10000000], eperm],
      ["unshare a time namespace", 272, [0x80], eperm],
      ["unshare descriptors", 272, [0x400], "allow"],
      ["clone a user namespace", 56, [0x10000011], eperm],
      ["clone a sibling of gum", 56, [0x8011], eperm],
      ["shmget", 29, [], eperm],
      ["mq_open", 240, [], eperm],
      ["inotify_add_watch", 254, [], eperm],
      ["limits of others", 302, [1234, 7], eperm],
      ["priority of others", 141, [0, 1234, 5], eperm],
      ["priority of a group", 141, [1, 0, 5], eperm],
      ["affinity of others", 203, [1234], eperm],
      ["personality", 135, [0x40000], eperm],
      ["asking the personality", 135, [0xffffffff], "allow"],
      ["typing into a terminal", 16, [0, 0x5412], eperm],
      ["typing into a terminal with high bits", 16, [0, 0xffff_ffff_0000_5412n], eperm],
      ["file flags", 16, [0, 0x40086602], eperm],
      ["another ioctl", 16, [0, 0x5401], "allow"],
    ]);
  });

  test("T20 knows neither io_uring nor calls that hide their flags in memory", () => {
    table(filterOf(), [
      ["io_uring_setup", 425, [], enosys],
      ["io_uring_enter", 426, [], enosys],
      ["io_uring_register", 427, [], enosys],
      ["clone3", 435, [], enosys],
      ["openat2", 437, [], enosys],
    ]);
  });

  test("T20 pretends to change modes, owners, times and the process group", () => {
    table(filterOf(), [
      ["chmod", 90, [], pretended],
      ["fchmod", 91, [], pretended],
      ["fchmodat", 268, [], pretended],
      ["fchmodat2", 452, [], pretended],
      ["chown", 92, [], pretended],
      ["fchown", 93, [], pretended],
      ["fchownat", 260, [], pretended],
      ["utimes", 235, [], pretended],
      ["utimensat by path", 280, [-100, 0x7fff0000, 0], pretended],
      ["utimensat by a path at a round address", 280, [-100, 0x7f00_0000_0000n, 0], pretended],
      ["utimensat of an open file", 280, [5, 0, 0], pretended],
      ["setsid", 112, [], pretended],
      ["setpgid", 109, [0, 0], pretended],
      ["PR_SET_PDEATHSIG", 157, [1, 0], pretended],
      ["another prctl", 157, [15, 0], "allow"],
      ["setxattr", 188, [], enotsup],
      ["fsetxattr", 190, [], enotsup],
      ["removexattrat", 466, [], enotsup],
    ]);
  });

  test("T20 lets no file with a set-id bit be made", () => {
    table(filterOf(), [
      ["openat creates 04755", 257, [-100, 1, 0o101, 0o4755], eperm],
      ["openat creates 02755", 257, [-100, 1, 0o101, 0o2755], eperm],
      ["openat of a nameless file", 257, [-100, 1, 0o20200001, 0o4755], eperm],
      ["openat without creating", 257, [-100, 1, 0, 0o4755], "allow"],
      ["open creates 04755", 2, [1, 0o101, 0o4755], eperm],
      ["creat 04755", 85, [1, 0o4755], eperm],
      ["mknodat 04755", 259, [-100, 1, 0o104755], eperm],
      ["mknodat of a FIFO", 259, [-100, 1, 0o010600], "allow"],
    ]);
  });

  test("T20 without the network there is no socket of any family", () => {
    for (const family of [0, 1, 2, 10, 16, 17, 38, 40, 44]) {
      table(filterOf(), [[`family ${family}`, 41, [family, 1, 0], eperm]]);
    }
    table(filterOf(), [
      ["listen", 50, [], eperm],
      ["datagram pair", 53, [1, 2, 0], eperm],
      ["datagram pair with flags", 53, [1, 2 | 0o2004000, 0], eperm],
      ["raw pair, which the kernel makes one of datagrams", 53, [1, 3, 0], eperm],
      ["raw pair with flags", 53, [1, 3 | 0o2004000, 0], eperm],
      ["pair of packets", 53, [1, 5, 0], eperm],
      ["pair of another family", 53, [2, 1, 0], eperm],
    ]);
  });

  test("T20 with the network there are TCP, UDP and route netlink, and nothing else", () => {
    table(filterOf({ network: true }), [
      ["TCP", 41, [2, 1, 0], "allow"],
      ["TCP by protocol", 41, [2, 1, 6], "allow"],
      ["TCP with flags", 41, [2, 1 | 0o2004000, 0], "allow"],
      ["UDP", 41, [2, 2, 17], "allow"],
      ["TCP over IPv6", 41, [10, 1, 0], "allow"],
      ["UDP over IPv6", 41, [10, 2, 0], "allow"],
      ["route netlink", 41, [16, 3, 0], "allow"],
      ["listen", 50, [], "allow"],
      ["other netlink", 41, [16, 3, 15], eperm],
      ["unix stream", 41, [1, 1, 0], eperm],
      ["unix datagram", 41, [1, 2, 0], eperm],
      ["raw", 41, [2, 3, 1], eperm],
      ["raw over IPv6", 41, [10, 3, 58], eperm],
      ["multipath TCP", 41, [2, 1, 262], eprotonosupport],
      ["SCTP", 41, [2, 1, 132], eprotonosupport],
      ["ping", 41, [2, 2, 1], eprotonosupport],
      ["packet", 41, [17, 3, 0], eperm],
      ["vsock", 41, [40, 1, 0], eperm],
      ["datagram pair", 53, [1, 2, 0], eperm],
      ["raw pair", 53, [1, 3, 0], eperm],
    ]);
  });

  test("T21 closes what an older Landlock leaves open", () => {
    const before3 = filterOf({ landlockAbi: 2 });
    table(before3, [
      ["truncate", 76, [], eperm],
      ["emptying by opening for reading", 257, [-100, 1, 0o1000, 0], eperm],
      ["emptying by open", 2, [1, 0o1000, 0], eperm],
      ["emptying while writing, which Landlock decides", 257, [-100, 1, 0o1001, 0], "allow"],
      ["signalling everybody", 62, [-1, 9], eperm],
      ["signalling one", 62, [1234, 15], "allow"],
    ]);
    table(filterOf({ landlockAbi: 3 }), [["truncate", 76, [], "allow"]]);
  });

  test("W19 without exec there is no file in memory that could be executed", () => {
    table(filterOf({ exec: false }), [["memfd_create", 319, [], enosys]]);
  });

  test("T20 says the same on aarch64", () => {
    table(
      filterOf({ arch: "arm64" }),
      [
        ["read", 63, [], "allow"],
        ["ptrace", 117, [], eperm],
        ["socket", 198, [2, 1, 0], eperm],
        ["fchmodat", 53, [], pretended],
        ["setsid", 157, [], pretended],
        ["setxattr", 5, [], enotsup],
        ["io_uring_setup", 425, [], enosys],
        ["clone a user namespace", 220, [0x10000011], eperm],
        ["openat creates 04755", 56, [-100, 1, 0o101, 0o4755], eperm],
        ["mount", 40, [], eperm],
      ],
      arm64,
    );
  });

  test("T21 every filter is short enough for the kernel", () => {
    for (const network of [true, false]) {
      for (const landlockAbi of [1, 7]) {
        expect(filterOf({ network, landlockAbi }).length / 8).toBeLessThan(300);
      }
    }
  });
});
