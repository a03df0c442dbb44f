import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createHost } from "../../src/host/real.ts";
import { kernelFacts } from "../../src/sandbox/kernel-facts.ts";
import { type AttemptResult, attempts, runEscapeAttempts } from "../../src/sandbox/run-attempts.ts";

const host = createHost();
const home = mkdtempSync(`${tmpdir()}/gum-attempts-`);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What an ordinary user, an older kernel or a stricter machine cannot do even without the sandbox. */
const mayBeUnproven = [
  ...[
    "chown",
    "raw",
    "packet",
    "raw-networked",
    "packet-networked",
    "set-user",
    "join-namespace",
    "bpf",
    "mount",
  ],
  ...["chroot", "watch-mount", "kernel-log", "alg", "alg-networked", "vsock", "vsock-networked", "setxattr"],
  ...["fsetxattr", "io-uring", "userfaultfd", "perf", "ptrace", "read-memory", "open-memory", "environment"],
  ...[
    "descriptors",
    "steal-descriptor",
    "compare",
    "user-namespace",
    "tcp6",
    "mptcp",
    "write-shm",
    "message-queue",
  ],
];

/** How each attempt is refused; EACCES unless it is said here. */
const refusals: Readonly<Record<string, string>> = {
  "link-in": "EXDEV",
  "create-set-id": "EPERM",
  "watch-folder": "EPERM",
  chmod: "no effect",
  fchmod: "no effect",
  chown: "no effect",
  utime: "no effect",
  futime: "no effect",
  setxattr: "ENOTSUP",
  fsetxattr: "ENOTSUP",
  "io-uring": "ENOSYS",
};
const deniedWith = ({ id, area }: AttemptResult): string => {
  const byFilter = area === "network" || area === "ipc" || area === "kernel";
  const inProc = ["open-memory", "environment", "gum-environment", "descriptors"];
  if (refusals[id] !== undefined) return refusals[id];
  if (area === "processes") return inProc.includes(id) ? "EACCES" : "EPERM";
  return byFilter ? "EPERM" : "EACCES";
};

function expectDenied(results: readonly AttemptResult[]): void {
  for (const result of results) {
    expect(`${result.id}: ${result.confined}`).toBe(`${result.id}: ${deniedWith(result)}`);
    if (result.verdict === "unproven") expect(mayBeUnproven).toContain(result.id);
    else expect(`${result.id}: ${result.control} ${result.verdict}`).toBe(`${result.id}: ok denied`);
  }
}

describe.skipIf(process.platform !== "linux")("T25 escape attempts", () => {
  test("T25 every attempt that works without the sandbox is denied inside, by its errno", async () => {
    const results = await runEscapeAttempts(host);
    expect(results.length).toBe(84);
    const { landlockAbi } = await kernelFacts(host);
    expectDenied(results.filter(({ needsAbi }) => needsAbi === undefined || landlockAbi >= needsAbi));
    expect(results.filter(({ verdict }) => verdict === "denied").length).toBeGreaterThan(50);
  }, 30_000);

  const probe = new URL("../probes/attempts.ts", import.meta.url).pathname;
  const user = ["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "--inh-caps=-all"];
  const isRoot = process.getuid?.() === 0 && Bun.which("setpriv") !== null;
  /** A checkout in a private folder cannot be read by another user; the whole suite runs as one elsewhere. */
  const mayLook = (path: string): boolean => Bun.spawnSync([...user, "test", "-r", path]).exitCode === 0;

  test.skipIf(!isRoot || !mayLook(probe) || !mayLook(process.execPath))(
    "T25 as an ordinary user too (needs root, and a folder that others may read)",
    async () => {
      chmodSync(home, 0o777);
      const child = Bun.spawn([...user, process.execPath, probe], {
        env: { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: "/tmp" },
        stdout: "pipe",
        stderr: "inherit",
        timeout: 60_000,
      });
      const results: AttemptResult[] = JSON.parse(await child.stdout.text());
      expect(results.length).toBe(84);
      const proven = results.filter(({ needsAbi }) => needsAbi === undefined);
      expectDenied(proven);
    },
    60_000,
  );

  test("T21 on a Landlock without signal scopes the open signals are shown as such", async () => {
    const kernel = await kernelFacts(host);
    const facts = { ...kernel, landlockAbi: Math.min(kernel.landlockAbi, 5) };
    const only = attempts.filter(({ needsAbi }) => needsAbi !== undefined);
    const results = await runEscapeAttempts(host, { facts, only });
    expect(results.map(({ id, verdict, needsAbi }) => [id, verdict, needsAbi])).toEqual([
      ["signal", "open", 6],
      ["signal-by-pidfd", "open", 6],
    ]);
  });

  test("T21 the oldest Landlock denies everything but signals, too", async () => {
    const facts = { ...(await kernelFacts(host)), landlockAbi: 1 };
    const only = attempts.filter(({ area, needsAbi }) => area === "files" && needsAbi === undefined);
    const results = await runEscapeAttempts(host, { facts, only });
    expect(results.filter(({ verdict }) => verdict === "open")).toEqual([]);
    expect(results.length).toBe(22);
  });

  test("T25 each attempt is told in words and by a name of its own", () => {
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(attempts.length);
    for (const { what } of attempts) expect(what).toMatch(/^[a-z]/);
  });
});
