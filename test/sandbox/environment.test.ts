import { describe, expect, test } from "bun:test";
import { certificatePaths, type EnvironmentInput, makeEnvironment } from "../../src/sandbox/environment.ts";

const input: EnvironmentInput = {
  user: {},
  home: "/data/home",
  temporary: "/data/tmp",
  network: false,
  literal: {},
  allowed: [],
  credentials: {},
};
const make = (change: Partial<EnvironmentInput> = {}) => makeEnvironment({ ...input, ...change });

describe("T12 the environment", () => {
  test("T12 starts from nothing", () => {
    expect(
      make({ user: { PATH: "/evil", HOME: "/home/ann", SECRET: "x", AWS_PROFILE: "p", TERM: "xterm" } }),
    ).toEqual({
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      LANG: "C.UTF-8",
      TERM: "dumb",
      HOME: "/data/home",
      TMPDIR: "/data/tmp",
    });
  });

  test("T12 language and time zone pass", () => {
    const env = make({ user: { LANG: "de_DE.UTF-8", LC_ALL: "C", LC_TIME: "C", TZ: "UTC", LC_: "x" } });
    expect([env.LANG, env.LC_ALL, env.LC_TIME, env.TZ, env.LC_]).toEqual([
      "de_DE.UTF-8",
      "C",
      "C",
      "UTC",
      undefined,
    ]);
  });

  test("T12 proxy and certificate variables pass with the network only", () => {
    const user = { HTTPS_PROXY: "http://p", no_proxy: "localhost", SSL_CERT_FILE: "/ca.pem" };
    expect(make({ user }).HTTPS_PROXY).toBeUndefined();
    const env = make({ user, network: true });
    expect([env.HTTPS_PROXY, env.no_proxy, env.SSL_CERT_FILE]).toEqual(["http://p", "localhost", "/ca.pem"]);
  });

  test("T12 named variables pass when they exist, and credentials win over them", () => {
    const env = make({
      user: { API_BASE: "b", FLI_KEY: "from the user", OTHER: "o" },
      literal: { MODE: "fast" },
      allowed: ["API_BASE", "FLI_KEY", "ABSENT"],
      credentials: { FLI_KEY: "from the keychain" },
    });
    expect(env).toMatchObject({ MODE: "fast", API_BASE: "b", FLI_KEY: "from the keychain" });
    expect(env).not.toHaveProperty("ABSENT");
    expect(env).not.toHaveProperty("OTHER");
  });

  test("T12 HOME and TMPDIR stay in the data folder whoever asks for others", () => {
    const env = make({ user: { HOME: "/home/ann" }, literal: { TMPDIR: "/tmp" }, allowed: ["HOME"] });
    expect([env.HOME, env.TMPDIR]).toEqual(["/data/home", "/data/tmp"]);
  });

  test("T12 PATH stays the fixed one whoever asks for another", () => {
    const other = { PATH: "/evil", HOME: "/evil", TMPDIR: "/evil" };
    const fixed = ["/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "/data/home", "/data/tmp"];
    for (const change of [
      { literal: other },
      { credentials: other },
      { user: other, allowed: ["PATH", "HOME", "TMPDIR"] },
    ]) {
      const env = make(change);
      expect([env.PATH, env.HOME, env.TMPDIR]).toEqual(fixed);
    }
  });

  test("T14 denied names are removed whoever asks for them", () => {
    const names = [
      "GUM_PROFILE",
      "_GUM_X",
      "LD_PRELOAD",
      "DYLD_X",
      "BUN_OPTIONS",
      "NODE_OPTIONS",
      "PYTHONPATH",
      "ENV",
    ];
    const values = Object.fromEntries(names.map((name) => [name, "x"]));
    const env = make({ user: values, literal: values, allowed: names, credentials: values });
    expect(Object.keys(env).sort()).toEqual(["HOME", "LANG", "PATH", "TERM", "TMPDIR"]);
  });

  test("T14 names and values that could smuggle another variable are removed", () => {
    const env = make({ literal: { "A=B": "x", "": "x", C: "a\0LD_PRELOAD=x", D: "fine" } });
    expect(Object.keys(env).sort()).toEqual(["D", "HOME", "LANG", "PATH", "TERM", "TMPDIR"]);
  });

  test("T12 certificate paths are read from the variables that name them", () => {
    expect(
      certificatePaths({ SSL_CERT_FILE: "/a.pem", SSL_CERT_DIR: "/b:/c", NODE_EXTRA_CA_CERTS: "rel.pem" }),
    ).toEqual(["/a.pem", "/b", "/c"]);
  });
});
