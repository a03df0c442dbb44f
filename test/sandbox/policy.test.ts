import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { GumError } from "../../src/base/errors.ts";
import { makePolicy, type Policy, type PolicyInput } from "../../src/sandbox/policy.ts";

const input: PolicyInput = {
  network: false,
  fsWriteDir: "",
  grants: { read: [], write: [], shm: false },
  installRoot: "/home/ann/.local/share/gum/plugins/fli/1",
  dataDir: "/home/ann/.local/share/gum/data/fli",
  runtimes: [],
  userHome: "/home/ann",
  gumFolders: ["/home/ann/.config/gum", "/home/ann/.local/share/gum"],
};
const make = (change: Partial<PolicyInput> = {}) => makePolicy({ ...input, ...change });
const with_ = (policy: Policy, access: string) =>
  policy.rules.filter((rule) => rule.access === access).map((rule) => rule.path);

describe("T20 the policy", () => {
  test("T20 lets a plugin write its data folder and nothing else", () => {
    expect(with_(make(), "write")).toEqual(["/home/ann/.local/share/gum/data/fli"]);
    expect(with_(make(), "device")).toEqual(["/dev/null", "/dev/full"]);
  });

  test("M14 with fs_write_dir only that part, HOME and TMPDIR are writable, and the rest of the data readable", () => {
    const policy = make({ fsWriteDir: "cache/v1" });
    expect(with_(policy, "write")).toEqual([
      "/home/ann/.local/share/gum/data/fli/cache/v1",
      "/home/ann/.local/share/gum/data/fli/home",
      "/home/ann/.local/share/gum/data/fli/tmp",
    ]);
    expect(with_(policy, "read")).toContain("/home/ann/.local/share/gum/data/fli");
    expect(policy.folders.map(({ parent, name }) => `${parent.slice(32)}/${name}`)).toEqual([
      "fli/home",
      "fli/tmp",
      "fli/cache",
      "fli/cache/v1",
    ]);
  });

  test("T22 an fs_write_dir that is absolute or escapes is refused", () => {
    for (const fsWriteDir of ["/tmp", "..", "../x", "a/../../b", "/", "a\0b/../../.."]) {
      const error = (() => {
        try {
          return make({ fsWriteDir });
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(GumError);
      expect(error).toMatchObject({ code: "PLUGIN_FS_WRITE_OUTSIDE_SANDBOX" });
    }
  });

  test("T20 nothing of the home is readable but the install root and the data", () => {
    const inHome = make()
      .rules.map((rule) => rule.path)
      .filter((path) => path.startsWith("/home") || "/home/ann".startsWith(`${path}/`) || path === "/");
    expect(inHome).toEqual([input.installRoot, input.dataDir]);
  });

  test("T20 a runtime brings the root of its installation", () => {
    const python = "/home/ann/.pyenv/versions/3.12.1/bin/python3.12";
    const rules = with_(make({ runtimes: [python] }), "read-exec");
    expect(rules).toContain("/home/ann/.pyenv/versions/3.12.1");
  });

  test("T20 a runtime whose root would open the home, gum's folders or a sensitive path brings only its file", () => {
    for (const path of ["/home/ann/bin/deno", "/home/ann/.local/bin/python3", "/home/bin/node"]) {
      const policy = make({ runtimes: [path] });
      const added = with_(policy, "read-exec").filter((rule) => rule.startsWith("/home"));
      expect(added).toEqual([path, input.installRoot]);
    }
  });

  test("T20 the same holds when gum was started with another HOME", () => {
    const away = { userHome: "/tmp/elsewhere", gumFolders: [] };
    for (const path of [
      "/home/bob/bin/deno",
      join("/root", "bin/deno"),
      "/home/bob/.local/bin/python3",
      "/home/bin/node",
    ]) {
      const added = with_(make({ ...away, runtimes: [path] }), "read-exec").filter(
        (rule) => rule.startsWith("/home/b") || rule.startsWith("/root"),
      );
      expect(added).toEqual([path]);
    }
    const version = join("/root", ".pyenv/versions/3.12.1");
    const own = join(version, "bin/python3.12");
    expect(with_(make({ ...away, runtimes: [own] }), "read-exec")).toContain(version);
  });

  test("T20 a system folder that holds gum's folders or the home is replaced by its harmless parts", () => {
    const inOpt = make({ gumFolders: ["/opt/gum"] });
    expect(with_(inOpt, "read-exec")).not.toContain("/opt");
    const inUsr = with_(make({ userHome: "/usr/local/share/ann", gumFolders: [] }), "read-exec");
    expect(inUsr).not.toContain("/usr");
    expect(inUsr).not.toContain("/usr/local");
    expect(inUsr).not.toContain("/usr/local/share");
    expect(inUsr).toContain("/usr/bin");
    expect(inUsr).toContain("/usr/local/bin");
  });

  test("T20 a home of / protects nothing by itself and breaks nothing", () => {
    expect(with_(make({ userHome: "/" }), "read-exec")).toContain("/usr");
  });

  test("T20 resolver files and certificates are readable with the network only", () => {
    const certificates = ["/home/ann/ca.pem", "/home/ann", "/home/ann/.ssh/id_ed25519", "relative.pem"];
    const closed = with_(make({ certificates }), "read");
    const open = with_(make({ certificates, network: true }), "read");
    expect([closed.includes("/etc/resolv.conf"), open.includes("/etc/resolv.conf")]).toEqual([false, true]);
    expect([closed.includes("/home/ann/ca.pem"), open.includes("/home/ann/ca.pem")]).toEqual([false, true]);
    for (const path of certificates.slice(1)) expect(open).not.toContain(path);
  });

  test("T20 no folder with private keys of the machine is readable", () => {
    const read = [...with_(make({ network: true }), "read"), ...with_(make(), "read-exec")];
    for (const path of ["/etc", "/etc/ssl", "/etc/pki", "/etc/ssh", "/var", "/root", "/run", "/tmp"]) {
      expect(read).not.toContain(path);
    }
  });

  test("T35 grants add exactly their paths", () => {
    const policy = make({ grants: { read: ["/srv/in"], write: ["/srv/out"], shm: true } });
    expect(with_(policy, "read")).toContain("/srv/in");
    expect(with_(policy, "write")).toEqual([input.dataDir, "/srv/out", "/dev/shm"]);
  });

  test("W19 what gum itself adds is readable besides", () => {
    expect(with_(make({ ownReads: ["/gum/src"] }), "read")).toContain("/gum/src");
  });

  test("W19 without exec only the program itself and the loader may be started", () => {
    const policy = make({ exec: false, runtimes: ["/usr/local/bin/gum"] });
    expect(with_(policy, "read-exec")).toEqual([
      "/lib64/ld-linux-x86-64.so.2",
      "/lib/ld-linux-aarch64.so.1",
      "/lib/ld-musl-x86_64.so.1",
      "/lib/ld-musl-aarch64.so.1",
      "/usr/local/bin/gum",
    ]);
    expect(with_(policy, "read")).toContain(input.installRoot);
  });

  test("T23 limits have defaults in one place and CPU time only for one call", () => {
    expect(make().limits).toEqual({
      dataBytes: 4294967296,
      fileBytes: 2147483648,
      openFiles: 4096,
      cpuSeconds: undefined,
    });
    expect(make({ oneShot: true }).limits.cpuSeconds).toBe(300);
    expect(make({ limits: { openFiles: 64 } }).limits.openFiles).toBe(64);
  });
});
