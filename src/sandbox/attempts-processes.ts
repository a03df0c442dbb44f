import { data, scratch, text, words } from "../host/native/row.ts";
import { type Attempt, also, attempt, here, tries } from "./attempt.ts";

const continueSignal = 18;
const seize = 0x4206;
const sameMemory = 1; // KCMP_VM
const openFilesLimit = 7;
const otherUser = 1;
const newUserNamespace = 0x10000000;
const scopesSince = 6;
/** Where the generated programs have their code, so that there is something to read. */
const codeAddress = 0x10000000;

/** Other processes of the same user. */
export const processAttempts: readonly Attempt[] = [
  attempt("processes", "ptrace", "trace another process", ({ victimPid }) => [
    tries("ptrace", seize, victimPid, 0, 0),
  ]),
  attempt("processes", "read-memory", "read the memory of another process", ({ victimPid }) => [
    tries("process_vm_readv", victimPid, vector(scratch(8), 8), 1, words(codeAddress, 8), 1, 0),
  ]),
  attempt("processes", "open-memory", "open the memory of another process", ({ victimPid }) => [
    tries("openat", here, text(`/proc/${victimPid}/mem`), 0, 0),
  ]),
  attempt("processes", "environment", "read the environment of another process", ({ victimPid }) => [
    tries("openat", here, text(`/proc/${victimPid}/environ`), 0, 0),
  ]),
  attempt("processes", "gum-environment", "read the environment of gum", ({ gumPid, free }) => [
    tries("openat", here, text(`/proc/${gumPid}/environ`), 0, 0),
    tries("read", free, scratch(64), 64),
  ]),
  attempt("processes", "descriptors", "see which files another process has open", ({ victimPid }) => [
    tries("readlinkat", here, text(`/proc/${victimPid}/fd/0`), scratch(64), 64),
  ]),
  attempt(
    "processes",
    "signal",
    "signal another process",
    ({ victimPid }) => [tries("kill", victimPid, continueSignal)],
    { needsAbi: scopesSince },
  ),
  attempt(
    "processes",
    "signal-by-pidfd",
    "signal another process through a descriptor",
    ({ victimPid, free }) => [
      tries("pidfd_open", victimPid, 0),
      tries("pidfd_send_signal", free, continueSignal, 0, 0),
    ],
    { needsAbi: scopesSince },
  ),
  attempt("processes", "steal-descriptor", "take a descriptor of another process", ({ victimPid, free }) => [
    also("pidfd_open", victimPid, 0),
    tries("pidfd_getfd", free, 3, 0),
  ]),
  attempt("processes", "limits", "change the limits of another process", ({ victimPid }) => [
    tries("prlimit64", victimPid, openFilesLimit, 0, scratch(16)),
  ]),
  attempt("processes", "priority", "change the priority of another process", ({ victimPid }) => [
    tries("setpriority", 0, victimPid, 10),
  ]),
  attempt("processes", "affinity", "move another process to other processors", ({ victimPid }) => [
    tries("sched_setaffinity", victimPid, 8, words(-1)),
  ]),
  attempt("processes", "compare", "compare itself with another process", ({ victimPid, gumPid }) => [
    tries("kcmp", victimPid, gumPid, sameMemory, 0, 0),
  ]),
  attempt("processes", "set-user", "become another user", () => [tries("setuid", otherUser)]),
  attempt("processes", "user-namespace", "make a user namespace", () => [tries("unshare", newUserNamespace)]),
  attempt("processes", "join-namespace", "join a namespace of gum", ({ gumPid, free }) => [
    also("openat", here, text(`/proc/${gumPid}/ns/net`), 0, 0),
    tries("setns", free, 0),
  ]),
];

/** `struct iovec`. */
function vector(buffer: ReturnType<typeof scratch>, length: number) {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint32(8, length, true);
  return data(bytes, [{ at: 0, to: buffer }]);
}
