// Experimental: the same policy as a profile for sandbox-exec. It is written from Apple's own profiles and has not
// been run by the tests of this project; gum does not start plugins with it yet (docs/sandbox.md).
import type { PathRule, Policy } from "./policy.ts";

/** What every program on macOS reads. */
const systemReads = [
  "/System",
  "/Library/Apple",
  "/Library/Frameworks",
  "/usr/lib",
  "/usr/share",
  "/usr/bin",
  "/usr/sbin",
  "/bin",
  "/sbin",
  "/opt/homebrew",
  "/usr/local",
  "/private/etc/ssl",
  "/private/var/db/dyld",
  "/private/var/db/timezone",
];

const systemPrograms = [
  "/usr/bin",
  "/usr/sbin",
  "/bin",
  "/sbin",
  "/opt/homebrew",
  "/usr/local",
  "/usr/lib/dyld",
];

const services = ["com.apple.system.logger", "com.apple.system.notification_center"];

const networkServices = [
  "com.apple.SystemConfiguration.DNSConfiguration",
  "com.apple.SystemConfiguration.configd",
  "com.apple.trustd.agent",
];

/** The profile's text, for `sandbox-exec -p`. */
export function macosProfile(policy: Policy): string {
  // Optional rules name folders of Linux; here the lists above stand for them.
  const own = policy.rules.filter((rule) => rule.presence === "required");
  const reads = [...systemReads.map(below), ...own.flatMap(filtersOf)];
  const programs = [
    ...(policy.exec ? systemPrograms : ["/usr/lib/dyld"]).map(below),
    ...own.filter((rule) => rule.access === "read-exec").flatMap(filtersOf),
  ];
  const writes = own.filter((rule) => rule.access === "write").flatMap(filtersOf);
  return `${[
    "(version 1)",
    "(deny default)",
    "(allow process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow file-read-metadata)",
    allow("file-read*", [
      ...reads,
      ...["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"].map(exactly),
    ]),
    allow("process-exec", programs),
    allow("file-write*", [...writes, exactly("/dev/null")]),
    allow("mach-lookup", [...services, ...(policy.network ? networkServices : [])].map(service)),
    ...(policy.network ? networkRules : []),
  ].join("\n")}\n`;
}

/** Names are resolved through one unix socket, the only one that is allowed. */
const networkRules = [
  "(allow system-socket)",
  '(allow network-outbound (remote ip) (literal "/private/var/run/mDNSResponder"))',
  "(allow network-inbound (local ip))",
  "(allow network-bind (local ip))",
  '(allow file-read* (literal "/private/etc/resolv.conf") (literal "/private/etc/hosts"))',
];

function allow(operation: string, filters: readonly string[]): string {
  return `(allow ${operation}\n${[...new Set(filters)].map((filter) => `  ${filter}`).join("\n")})`;
}

function filtersOf(rule: PathRule): string[] {
  return rule.kind === "file" ? [exactly(rule.path)] : [below(rule.path)];
}

function below(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function exactly(path: string): string {
  return `(literal ${quoted(path)})`;
}

function service(name: string): string {
  return `(global-name ${quoted(name)})`;
}

/** A string of the profile language; a path must not be able to end it. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
