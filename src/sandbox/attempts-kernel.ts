import { data, scratch, text } from "../host/native/row.ts";
import { type Attempt, also, attempt, tries } from "./attempt.ts";

const processKeyring = -2;
const sessionKeyring = -3;
const ipcInfo = 3;
const noRandomAddresses = 0x40000;
const readWriteCreate = 0o102;
const userModeOnly = 1;

/** Message passing that knows no folders. */
export const ipcAttempts: readonly Attempt[] = [
  attempt("ipc", "shared-memory", "use System V shared memory", () => [
    tries("shmctl", 0, ipcInfo, scratch(128)),
  ]),
  attempt("ipc", "semaphores", "use System V semaphores", () => [
    tries("semctl", 0, 0, ipcInfo, scratch(128)),
  ]),
  attempt("ipc", "messages", "use System V messages", () => [tries("msgctl", 0, ipcInfo, scratch(128))]),
  attempt("ipc", "message-queue", "open a POSIX message queue", ({ gumPid }) => [
    tries("mq_open", text(`gum-attempt-${gumPid}`), readWriteCreate, 0o600, 0),
    also("mq_unlink", text(`gum-attempt-${gumPid}`)),
  ]),
  attempt("ipc", "add-key", "add a key to a keyring", () => [
    tries("add_key", text("user"), text("gum"), text("x"), 1, processKeyring),
  ]),
  attempt("ipc", "keyring", "use the session's keyring", () => [tries("keyctl", 0, sessionKeyring, 0)]),
];

/** Parts of the kernel that no plugin needs. */
export const kernelAttempts: readonly Attempt[] = [
  attempt("kernel", "io-uring", "use io_uring", () => [tries("io_uring_setup", 1, scratch(128))]),
  attempt("kernel", "userfaultfd", "handle page faults itself", () => [tries("userfaultfd", userModeOnly)]),
  attempt("kernel", "bpf", "load a BPF map", () => [tries("bpf", 0, arrayMap(), 32)]),
  attempt("kernel", "perf", "count events of the processor", () => [
    tries("perf_event_open", softwareClock(), 0, -1, -1, 0),
  ]),
  attempt("kernel", "mount", "prepare a mount", () => [tries("fsopen", text("tmpfs"), 0)]),
  attempt("kernel", "chroot", "change its root folder", () => [tries("chroot", text("/"))]),
  attempt("kernel", "watch-mount", "watch a whole file system", () => [tries("fanotify_init", 0, 0)]),
  attempt("kernel", "kernel-log", "read the kernel's log", () => [tries("syslog", 10, 0, 0)]),
  attempt("kernel", "clock", "use the interface that sets the clock", () => [
    tries("adjtimex", scratch(208)),
  ]),
  attempt("kernel", "personality", "switch off address randomisation", () => [
    tries("personality", noRandomAddresses),
  ]),
];

/** `union bpf_attr` for an array of one number. */
function arrayMap() {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  [2, 4, 4, 1].forEach((value, index) => {
    view.setUint32(index * 4, value, true);
  });
  return data(bytes);
}

/** `struct perf_event_attr` for the task's own clock. */
function softwareClock() {
  const bytes = new Uint8Array(128);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 1, true); // software
  view.setUint32(4, 128, true); // size
  view.setBigUint64(8, 1n, true); // task clock
  view.setBigUint64(40, 0b1100000n, true); // without the kernel and the hypervisor
  return data(bytes);
}
