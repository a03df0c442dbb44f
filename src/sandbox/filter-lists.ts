// Which syscalls a plugin never has, by what it is told. Everything that Landlock decides (opening, creating,
// renaming and executing files) is left to Landlock; the lists hold what Landlock does not see.
import type { SyscallName } from "../host/native/numbers.ts";

/** Answered as if the kernel had never heard of them, so that libraries take their older way. */
export const unknownCalls: readonly SyscallName[] = [
  // io_uring does its work where no filter looks.
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  // clone3 and openat2 keep their flags in memory, where a filter cannot read them.
  "clone3",
  "openat2",
];

/** Answered with EPERM. */
export const forbiddenCalls: readonly SyscallName[] = [
  // looking into or steering other processes
  ...(["ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise"] as const),
  ...(["process_mrelease", "migrate_pages", "move_pages", "ioprio_set", "perf_event_open"] as const),
  // kernel attack surface that no plugin needs
  ...(["bpf", "userfaultfd", "modify_ldt", "lookup_dcookie", "uselib", "sysfs", "_sysctl"] as const),
  // keyrings
  ...(["keyctl", "add_key", "request_key"] as const),
  // mounts and namespaces
  ...(["mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount"] as const),
  ...(["fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "setns"] as const),
  // the machine itself
  ...(["init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot"] as const),
  ...(["swapon", "swapoff", "acct", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex"] as const),
  ...(["sethostname", "setdomainname", "iopl", "ioperm", "quotactl", "quotactl_fd", "nfsservctl"] as const),
  ...(["syslog", "vhangup"] as const),
  // files by handle, and watching files that may not be opened
  ...(["open_by_handle_at", "fanotify_init", "inotify_add_watch", "file_setattr"] as const),
  // System V and POSIX message passing, which knows no folders
  ...(["shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semctl", "semtimedop"] as const),
  ...(["msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink"] as const),
];

/**
 * Answered with success and not done. Modes, owners and times are not Landlock's business, and an owner may change them
 * through any descriptor that reads; programs that set them on their own files only want to hear that it worked.
 * The process group is how gum ends the whole tree, so it never changes.
 */
export const pretendedCalls: readonly SyscallName[] = [
  ...(["chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"] as const),
  ...(["utime", "utimes", "futimesat", "utimensat", "setsid", "setpgid"] as const),
];

/** Answered with ENOTSUP, as on a file system without extended attributes. */
export const unsupportedCalls: readonly SyscallName[] = [
  ...(["setxattr", "lsetxattr", "fsetxattr", "setxattrat"] as const),
  ...(["removexattr", "lremovexattr", "fremovexattr", "removexattrat"] as const),
];

/** Allowed for the caller itself (first argument 0), forbidden for others. */
export const ownProcessCalls: readonly SyscallName[] = [
  ...(["prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"] as const),
];
