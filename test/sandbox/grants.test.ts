import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GumError } from "../../src/base/errors.ts";
import { createHost } from "../../src/host/real.ts";
import { checkGrants } from "../../src/sandbox/grants.ts";
import { ownFolders } from "../../src/sandbox/own-folders.ts";
import type { PolicyInput } from "../../src/sandbox/policy.ts";
import { preparePolicy } from "../../src/sandbox/prepare-policy.ts";

const where = { userHome: "/home/ann", gumFolders: ["/home/ann/.config/gum", "/home/ann/.local/share/gum"] };

function refusal(read: readonly string[], write: readonly string[] = []): string | undefined {
  try {
    checkGrants({ ...where, read, write });
    return undefined;
  } catch (error) {
    if (error instanceof GumError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("T35 grants", () => {
  test("T35 a path with nothing protected in or above it is granted", () => {
    expect(
      refusal(["/srv/data", "/home/ann/projects/x", "/home/ann/Documents"], ["/home/ann/out", "/tmp"]),
    ).toBeUndefined();
  });

  test("T35 the whole home, and what holds it, is refused", () => {
    for (const path of ["/home/ann", "/home", "/"]) {
      expect(refusal([path])).toBe(
        `POLICY_DENIED: The path '${path}' cannot be granted because it holds your whole home folder.`,
      );
    }
  });

  test("T35 a path under something sensitive is refused", () => {
    expect(refusal(["/home/ann/.ssh/id_ed25519"])).toBe(
      "POLICY_DENIED: The path '/home/ann/.ssh/id_ed25519' cannot be granted because it lies in '/home/ann/.ssh'.",
    );
    for (const path of [
      "/home/ann/.aws",
      "/home/ann/.config/gcloud/x",
      "/home/ann/.config/gum",
      "/etc/shadow",
      "/proc/1",
    ]) {
      expect(refusal([path])).toStartWith("POLICY_DENIED:");
    }
  });

  test("T35 a path that holds something sensitive is refused", () => {
    for (const path of ["/home/ann/.config", "/home/ann/.local/share", "/etc", "/run"]) {
      expect(refusal([path])).toStartWith(
        `POLICY_DENIED: The path '${path}' cannot be granted because it holds `,
      );
    }
  });

  test("T35 homes of others, and where homes are, are refused like one's own", () => {
    for (const path of [
      "/home/bob",
      "/home/bob/.ssh",
      "/home/bob/.config",
      "/root",
      join("/root", ".aws/x"),
      "/Users",
    ]) {
      expect(refusal([path])).toStartWith("POLICY_DENIED:");
    }
    expect(refusal(["/home/bob/shared"])).toBeUndefined();
  });

  test("T35 a neighbour that only begins like a sensitive path is granted", () => {
    expect(refusal(["/home/ann/.sshfoo", "/home/annabel/x"])).toBeUndefined();
  });

  test("T35 a path that is not absolute or climbs is refused", () => {
    for (const path of ["relative", "/srv/../home/ann/.ssh", "~/x"])
      expect(refusal([path])).toStartWith("POLICY_DENIED:");
  });

  test("T35 nothing that others execute or are configured by may be written", () => {
    for (const path of [
      ...["/usr/local/bin", "/opt/tool", "/etc/cron.d", "/lib/x", "/sbin", "/var/spool/cron", "/var/spool"],
      ...["/home/ann/.bashrc", "/home/ann/.profile", "/home/ann/.zshrc", "/home/ann/.local/bin/tool"],
      ...["/home/ann/bin", "/home/ann/.config/systemd/user", "/home/ann/.config/autostart"],
      ...["/home/ann/.cargo", "/home/bob/.bashrc", "/home/bob/bin"],
    ])
      expect(refusal([], [path])).toStartWith("POLICY_DENIED:");
    expect(refusal(["/home/ann/.bashrc", "/home/ann/bin", "/opt/tool"])).toBeUndefined();
    expect(refusal([], ["/home/ann/binaries", "/home/ann/.bashrc.d-notes"])).toBeUndefined();
    expect(refusal([], ["/home/ann/bin"])).toBe(
      "POLICY_DENIED: The path '/home/ann/bin' cannot be granted because nothing in '/home/ann/bin' may be written, " +
        "since others execute or obey it.",
    );
  });

  test("T35 gum's folders and what holds them can be written by no grant", () => {
    for (const path of [
      "/home/ann/.local",
      "/home/ann/.config",
      "/home/ann/.local/share/gum/run",
      "/home/ann/.config/gum",
    ])
      expect(refusal([], [path])).toStartWith("POLICY_DENIED:");
  });

  describe("on a disk", () => {
    let base = "";
    beforeEach(() => {
      base = realpathSync(mkdtempSync(`${tmpdir()}/gum-grant-`));
      for (const name of ["home", "home/.ssh", "root", "data", "granted", "vault", "own/bin"])
        mkdirSync(`${base}/${name}`, { recursive: true });
      symlinkSync(`${base}/vault`, `${base}/home/.aws`);
      symlinkSync(`${base}/own`, `${base}/home/bin`);
    });
    afterEach(() => rmSync(base, { recursive: true }));

    const prepared = (read: string[], write: string[] = [], change: Partial<PolicyInput> = {}) =>
      preparePolicy(createHost(), {
        network: false,
        fsWriteDir: "",
        grants: { read, write, shm: false },
        installRoot: `${base}/root`,
        dataDir: `${base}/data`,
        runtimes: [],
        userHome: `${base}/home`,
        gumFolders: [],
        ...change,
      }).then(
        () => undefined,
        (error: unknown) => error,
      );

    test("T35 a granted path that has become a link is refused at the launch, wherever it leads", async () => {
      expect(await prepared([`${base}/granted`], [`${base}/granted`])).toBeUndefined();
      for (const target of ["home/.ssh", "root"]) {
        rmSync(`${base}/granted`, { recursive: true });
        symlinkSync(`${base}/${target}`, `${base}/granted`);
        expect(await prepared([`${base}/granted`])).toMatchObject({
          code: "POLICY_DENIED",
          message: `The granted path '${base}/granted' leads to '${base}/${target}' by now.`,
        });
        expect(await prepared([], [`${base}/granted`])).toMatchObject({ code: "POLICY_DENIED" });
      }
    });

    test("T35 a place that a sensitive name leads to is as sensitive", async () => {
      expect(await prepared([`${base}/vault`])).toMatchObject({
        code: "POLICY_DENIED",
        message: `The path '${base}/vault' cannot be granted because it lies in '${base}/vault'.`,
      });
      rmSync(`${base}/home/.aws`);
      expect(await prepared([`${base}/vault`])).toBeUndefined();
    });

    test("T35 where a folder of programs really is, and an interpreter's own root, cannot be written", async () => {
      expect(await prepared([], [`${base}/own`])).toMatchObject({ code: "POLICY_DENIED" });
      rmSync(`${base}/home/bin`);
      expect(await prepared([], [`${base}/own`])).toBeUndefined();
      writeFileSync(`${base}/own/bin/node`, "");
      const runtimes = [`${base}/own/bin/node`];
      expect(await prepared([], [`${base}/own`], { runtimes })).toMatchObject({ code: "POLICY_DENIED" });
    });

    test("T35 the folder that plugins are installed in is gum's own, wherever it is", async () => {
      const [config, data, cache] = ["c", "d", "e"].map((name) => `${base}/home/${name}/gum/default`);
      const profile = {
        configDir: config ?? "",
        dataDir: data ?? "",
        cacheDir: cache ?? "",
        pluginsDir: `${base}/granted`,
      };
      const gumFolders = ownFolders(profile);
      for (const path of [`${base}/granted`, base]) {
        expect(await prepared([path], [], { gumFolders })).toMatchObject({ code: "POLICY_DENIED" });
        expect(await prepared([], [path], { gumFolders })).toMatchObject({ code: "POLICY_DENIED" });
      }
    });
  });
});
