// What programs of every language read of the system they run on, found by running them.

/** Programs and libraries. Each folder stands with what is allowed instead when it holds something protected. */
export const programFolders: Readonly<Record<string, readonly string[]>> = {
  "/usr": [
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/include",
    "/usr/local",
  ],
  "/usr/local": [
    "/usr/local/bin",
    "/usr/local/sbin",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/libexec",
    "/usr/local/share",
    "/usr/local/include",
  ],
  "/bin": [],
  "/sbin": [],
  "/lib": [],
  "/lib64": [],
  "/lib32": [],
  "/nix/store": [],
  "/opt": [],
};

/** The folders above that are not part of another one. */
export const programRoots: readonly string[] = Object.keys(programFolders).filter(
  (path) => path !== "/usr/local",
);

/** Folders that are read. */
export const readFolders: readonly string[] = [
  "/etc/ld.so.conf.d",
  "/etc/ssl/certs",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust",
  "/etc/ca-certificates",
  "/etc/crypto-policies",
  "/etc/fonts",
  "/etc/alternatives",
  "/etc/python3",
  "/etc/python3.11",
  "/etc/python3.12",
  "/etc/python3.13",
  "/etc/python3.14",
  "/etc/java-11-openjdk",
  "/etc/java-17-openjdk",
  "/etc/java-21-openjdk",
  "/etc/java-25-openjdk",
  // Whole: rules on single entries vanish when the kernel forgets the entry. What is secret in it (environment,
  // memory, descriptors of others) is refused by Landlock's own check on looking into processes.
  "/proc",
  "/sys/devices/system/cpu",
  "/sys/kernel/mm/transparent_hugepage",
  "/sys/fs/cgroup",
];

/** Single files that are read. */
export const readFiles: readonly string[] = [
  "/etc/ld.so.cache",
  "/etc/ld.so.preload",
  "/etc/ld.so.conf",
  "/etc/localtime",
  "/etc/timezone",
  "/etc/ssl/openssl.cnf",
  "/etc/ssl/cert.pem",
  "/etc/pki/tls/openssl.cnf",
  "/etc/pki/tls/cert.pem",
  "/etc/nsswitch.conf",
  "/etc/passwd",
  "/etc/group",
  "/etc/os-release",
  "/etc/debian_version",
  "/etc/locale.alias",
  "/etc/locale.conf",
  "/etc/default/locale",
  "/etc/mime.types",
  "/etc/gitconfig",
  "/dev/zero",
  "/dev/random",
  "/dev/urandom",
];

/** Devices that are read and written. */
export const devices: readonly string[] = ["/dev/null", "/dev/full"];

/** What finding a host by its name needs, with the places that resolv.conf leads to. */
export const networkFiles: readonly string[] = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/host.conf",
  "/etc/gai.conf",
  "/etc/services",
  "/etc/protocols",
  "/etc/networks",
  "/run/systemd/resolve/stub-resolv.conf",
  "/run/systemd/resolve/resolv.conf",
  "/run/resolvconf/resolv.conf",
  "/run/NetworkManager/resolv.conf",
  "/mnt/wsl/resolv.conf",
];

/** Without these no dynamically linked program starts. */
export const loaders: readonly string[] = [
  "/lib64/ld-linux-x86-64.so.2",
  "/lib/ld-linux-aarch64.so.1",
  "/lib/ld-musl-x86_64.so.1",
  "/lib/ld-musl-aarch64.so.1",
];
