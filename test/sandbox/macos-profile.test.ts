import { describe, expect, test } from "bun:test";
import { macosProfile } from "../../src/sandbox/macos-profile.ts";
import { makePolicy, type PolicyInput } from "../../src/sandbox/policy.ts";

const input: PolicyInput = {
  network: false,
  fsWriteDir: "",
  grants: { read: [], write: [], shm: false },
  installRoot: "/Users/ann/plugins/fli",
  dataDir: "/Users/ann/data/fli",
  runtimes: ["/Users/ann/.pyenv/versions/3.12/bin/python3.12"],
  userHome: "/Users/ann",
  gumFolders: [],
};

describe("T21 the profile for macOS", () => {
  test("T21 denies by default and allows what the policy names", () => {
    expect(macosProfile(makePolicy(input))).toBe(`(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read*
  (subpath "/System")
  (subpath "/Library/Apple")
  (subpath "/Library/Frameworks")
  (subpath "/usr/lib")
  (subpath "/usr/share")
  (subpath "/usr/bin")
  (subpath "/usr/sbin")
  (subpath "/bin")
  (subpath "/sbin")
  (subpath "/opt/homebrew")
  (subpath "/usr/local")
  (subpath "/private/etc/ssl")
  (subpath "/private/var/db/dyld")
  (subpath "/private/var/db/timezone")
  (subpath "/Users/ann/.pyenv/versions/3.12")
  (literal "/Users/ann/.pyenv/versions/3.12/bin/python3.12")
  (subpath "/Users/ann/plugins/fli")
  (subpath "/Users/ann/data/fli")
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/random")
  (literal "/dev/urandom"))
(allow process-exec
  (subpath "/usr/bin")
  (subpath "/usr/sbin")
  (subpath "/bin")
  (subpath "/sbin")
  (subpath "/opt/homebrew")
  (subpath "/usr/local")
  (subpath "/usr/lib/dyld")
  (subpath "/Users/ann/.pyenv/versions/3.12")
  (literal "/Users/ann/.pyenv/versions/3.12/bin/python3.12")
  (subpath "/Users/ann/plugins/fli"))
(allow file-write*
  (subpath "/Users/ann/data/fli")
  (literal "/dev/null"))
(allow mach-lookup
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center"))
`);
  });

  test("T20 speaks of the network only when it is declared", () => {
    expect(macosProfile(makePolicy(input))).not.toContain("network");
    const open = macosProfile(makePolicy({ ...input, network: true }));
    expect(open).toContain('(allow network-outbound (remote ip) (literal "/private/var/run/mDNSResponder"))');
    expect(open).toContain('(global-name "com.apple.trustd.agent")');
  });

  test("T20 a path cannot end its own string", () => {
    const profile = macosProfile(
      makePolicy({ ...input, installRoot: '/Users/ann/a") (allow default) ("\\' }),
    );
    expect(profile).toContain('(subpath "/Users/ann/a\\") (allow default) (\\"\\\\")');
  });
});
