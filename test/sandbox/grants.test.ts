import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GumError } from "../../src/base/errors.ts";
import { createHost } from "../../src/host/real.ts";
import { checkGrants } from "../../src/sandbox/grants.ts";
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
    for (const path of ["/usr/local/bin", "/opt/tool", "/etc/cron.d"])
      expect(refusal([], [path])).toStartWith("POLICY_DENIED:");
  });

  test("T35 a granted path that has become a link to something sensitive is refused at the launch", async () => {
    const base = realpathSync(mkdtempSync(`${tmpdir()}/gum-grant-`));
    try {
      for (const name of ["home", "home/.ssh", "root", "data"]) mkdirSync(`${base}/${name}`);
      symlinkSync(`${base}/home/.ssh`, `${base}/granted`);
      const policy = preparePolicy(createHost(), {
        network: false,
        fsWriteDir: "",
        grants: { read: [`${base}/granted`], write: [], shm: false },
        installRoot: `${base}/root`,
        dataDir: `${base}/data`,
        runtimes: [],
        userHome: `${base}/home`,
        gumFolders: [],
      });
      expect(await policy.catch((error: unknown) => error)).toMatchObject({ code: "POLICY_DENIED" });
    } finally {
      rmSync(base, { recursive: true });
    }
  });
});
