import { scratch, text, words } from "../host/native/row.ts";
import { type Attempt, also, attempt, here, type Target, tries } from "./attempt.ts";

const flags = {
  write: 1,
  readWrite: 2,
  create: 0o100,
  exclusive: 0o200,
  truncate: 0o1000,
  append: 0o2000,
} as const;
const folderFlag = 0o200000;
const removeFolder = 0x200; // AT_REMOVEDIR
const fifo = 0o010600;

const open = (path: string, how: number, mode = 0) => tries("openat", here, text(path), how, mode);

/** Reading, changing and executing files where the plugin has no business. */
export const fileAttempts: readonly Attempt[] = [
  attempt("files", "read-file", "read a file outside", ({ outside }) => [open(`${outside}/secret`, 0)]),
  attempt("files", "list-folder", "list a folder outside", ({ outside }) => [open(outside, folderFlag)]),
  attempt("files", "read-by-link", "read a file outside through a link of its own", ({ outside, data }) => [
    also("symlinkat", text(`${outside}/secret`), here, text(`${data}/link`)),
    open(`${data}/link`, 0),
  ]),
  attempt("files", "read-by-proc-root", "read a file outside through /proc/self/root", ({ outside }) => [
    open(`/proc/self/root${outside}/secret`, 0),
  ]),
  attempt("files", "write-file", "write to a file outside", ({ outside }) => [
    open(`${outside}/victim`, flags.write),
  ]),
  attempt("files", "append-file", "append to a file outside", ({ outside }) => [
    open(`${outside}/victim`, flags.write | flags.append),
  ]),
  attempt("files", "create-file", "create a file outside", ({ outside }) => [
    open(`${outside}/new`, flags.write | flags.create | flags.exclusive, 0o600),
  ]),
  attempt("files", "truncate-file", "empty a file outside by its path", ({ outside }) => [
    tries("truncate", text(`${outside}/victim`), 0),
  ]),
  attempt("files", "truncate-by-open", "empty a file by opening it for reading", ({ root }) => [
    open(`${root}/file`, flags.truncate),
  ]),
  attempt("files", "delete-file", "delete a file outside", ({ outside }) => [
    tries("unlinkat", here, text(`${outside}/victim`), 0),
  ]),
  attempt("files", "delete-folder", "delete a folder outside", ({ outside }) => [
    tries("unlinkat", here, text(`${outside}/folder`), removeFolder),
  ]),
  attempt("files", "make-folder", "make a folder outside", ({ outside }) => [
    tries("mkdirat", here, text(`${outside}/new`), 0o700),
  ]),
  attempt("files", "make-link", "make a symbolic link outside", ({ outside }) => [
    tries("symlinkat", text("target"), here, text(`${outside}/new`)),
  ]),
  attempt("files", "make-fifo", "make a FIFO outside", ({ outside }) => [
    tries("mknodat", here, text(`${outside}/new`), fifo, 0),
  ]),
  attempt("files", "link-in", "link a file from outside into its data", ({ outside, data }) => [
    tries("linkat", here, text(`${outside}/victim`), here, text(`${data}/linked`), 0),
  ]),
  attempt("files", "rename-in", "move a file from outside into its data", ({ outside, data }) => [
    rename(`${outside}/victim`, `${data}/moved`),
  ]),
  attempt("files", "rename-out", "move a file of its data outside", ({ outside, data }) => [
    rename(`${data}/dropped`, `${outside}/moved`),
  ]),
  attempt("files", "write-own-root", "change its installed files", ({ root }) => [
    open(`${root}/file`, flags.write),
  ]),
  attempt("files", "execute-dropped", "execute a file that it wrote", ({ data }) => [
    tries("execve", text(`${data}/dropped`), words(0), words(0)),
  ]),
  attempt("files", "create-set-id", "create a set-user-id file", ({ data }) => [
    open(`${data}/new`, flags.write | flags.create, 0o4755),
  ]),
  attempt("files", "write-shm", "write to /dev/shm", ({ gumPid }) => [
    open(`/dev/shm/gum-attempt-${gumPid}`, flags.readWrite | flags.create, 0o600),
    also("unlinkat", here, text(`/dev/shm/gum-attempt-${gumPid}`), 0),
  ]),
  attempt("files", "watch-folder", "watch a folder outside", ({ outside, free }) => [
    also("inotify_init1", 0),
    tries("inotify_add_watch", free, text(outside), 0xfff),
  ]),
];

/** Modes, times and attributes, which Landlock does not decide. */
/** A user that nobody runs gum as. */
const daemon = 1;

export const metadataAttempts: readonly Attempt[] = [
  attempt(
    "metadata",
    "chmod",
    "change the mode of a file outside",
    ({ outside }) => [tries("fchmodat", here, text(`${outside}/victim`), 0o777)],
    { happened: async (host, { outside }) => (await host.files.stat(`${outside}/victim`)).mode === 0o777 },
  ),
  attempt(
    "metadata",
    "fchmod",
    "change the mode of a file that it may only read",
    ({ root, free }) => [open(`${root}/file`, 0), tries("fchmod", free, 0o777)],
    { happened: async (host, { root }) => (await host.files.stat(`${root}/file`)).mode === 0o777 },
  ),
  attempt(
    "metadata",
    "chown",
    "give away a file outside",
    ({ outside }) => [tries("fchownat", here, text(`${outside}/victim`), daemon, daemon, 0)],
    { happened: async (host, { outside }) => (await host.files.stat(`${outside}/victim`)).uid === daemon },
  ),
  attempt(
    "metadata",
    "utime",
    "change the times of a file outside",
    ({ outside }) => [tries("utimensat", here, text(`${outside}/victim`), words(1, 0, 1, 0), 0)],
    {
      happened: async (host, { outside }) =>
        (await host.files.stat(`${outside}/victim`)).mtimeNs === 1_000_000_000n,
    },
  ),
  attempt(
    "metadata",
    "futime",
    "change the times of a file that it may only read",
    ({ root, free }) => [open(`${root}/file`, 0), tries("utimensat", free, 0, words(1, 0, 1, 0), 0)],
    {
      happened: async (host, { root }) => (await host.files.stat(`${root}/file`)).mtimeNs === 1_000_000_000n,
    },
  ),
  attempt("metadata", "setxattr", "set an attribute of a file outside", ({ outside }) => [
    tries("setxattr", text(`${outside}/victim`), text("user.gum"), scratch(1), 1, 0),
  ]),
  attempt("metadata", "fsetxattr", "set an attribute of a file that it may only read", ({ root, free }) => [
    open(`${root}/file`, 0),
    tries("fsetxattr", free, text("user.gum"), scratch(1), 1, 0),
  ]),
];

function rename(from: string, to: string): ReturnType<Attempt["rows"]>[number] {
  return tries("renameat2", here, text(from), here, text(to), 0);
}

/** The paths that attempts use, made anew for each. */
export function attemptPaths(folder: string): Pick<Target, "outside" | "data" | "root" | "socket"> {
  return {
    outside: `${folder}/outside`,
    data: `${folder}/data`,
    root: `${folder}/root`,
    socket: `${folder}/listener`,
  };
}
