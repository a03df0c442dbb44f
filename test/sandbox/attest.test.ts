import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { buildImage } from "../../src/host/native/elf.ts";
import type { Row } from "../../src/host/native/row.ts";
import { outcomesOf, startImage } from "../../src/host/native/start.ts";
import { kernelFacts } from "../../src/sandbox/kernel-facts.ts";
import { confinementRows } from "../../src/sandbox/plan.ts";
import { watchdogRows } from "../../src/sandbox/plan-watchdog.ts";
import { type Bench, makeBench } from "./bench.ts";

let bench: Bench;
beforeAll(() => {
  bench = makeBench();
});
afterAll(() => bench.remove());

interface Change {
  readonly network?: boolean;
  /** Rows that are left out: a kernel that says yes and does nothing. */
  readonly without?: (row: Row) => boolean;
  readonly fileMode?: number;
  readonly noFile?: boolean;
  readonly noListener?: boolean;
}

let count = 0;

/** The row that ended the plan and its result; undefined when all of it went well. */
async function plan(change: Change = {}): Promise<[string, number] | undefined> {
  const folder = `${bench.base}/plan-${count++}`;
  mkdirSync(folder, { mode: 0o700 });
  const attestation = { file: `${folder}/file`, socket: `${folder}/socket` };
  if (!change.noFile) writeFileSync(attestation.file, "x", { mode: change.fileMode ?? 0o600 });
  const { arch, landlockAbi } = await kernelFacts(bench.host);
  if (arch === undefined) throw new Error("this machine has no sandbox");
  const rows = confinementRows({
    policy: await bench.policy({ network: change.network ?? false }),
    arch,
    landlockAbi,
    parentPid: process.pid,
    isRoot: process.getuid?.() === 0,
    attestation,
    program: { path: "", argv: [], cwd: "/", byDescriptor: false },
  }).map((row) =>
    change.without?.(row) ? ({ ...row, call: "getpid", args: [], expect: "any" } as const) : row,
  );
  const end: Row = { name: "end", call: "exit_group", args: [0], expect: "any" };
  const image = buildImage([...rows, end, ...watchdogRows(5)], arch);
  const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"] as const;
  const child = await startImage(bench.host, image, { folder, env: {}, stdio });
  try {
    const [failure] = await outcomesOf(child, image);
    return failure === undefined ? undefined : [failure.row.name, failure.result];
  } finally {
    child.pipes[4]?.destroy();
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(process.platform !== "linux")("T21 the confined process proves its confinement", () => {
  test("T21 the whole plan goes well, with and without the network", async () => {
    expect(await plan()).toBeUndefined();
    expect(await plan({ network: true })).toBeUndefined();
  });

  test("T21 a Landlock that is not applied is noticed, since the file can be written", async () => {
    const failure = await plan({ without: (row) => row.call === "landlock_restrict_self" });
    expect(failure?.[0]).toBe("be refused to write a file");
    expect(failure?.[1]).toBeGreaterThanOrEqual(0);
  });

  test("T21 a filter that is not applied is noticed, since a socket can be had", async () => {
    for (const network of [false, true]) {
      const failure = await plan({ network, without: (row) => row.call === "seccomp" });
      expect(failure?.[0]).toBe("be refused a socket");
      expect(failure?.[1]).toBeGreaterThanOrEqual(0);
    }
  });

  test("T21 a file that could not be written anyway proves nothing and is refused", async () => {
    const without = (row: Row) => row.call === "landlock_restrict_self";
    expect(await plan({ noFile: true, without })).toEqual(["write a file, unconfined", -2]);
    // Root without capabilities is an ordinary owner.
    expect(await plan({ fileMode: 0o400, without })).toEqual(["write a file, unconfined", -13]);
  });

  test("T21 a listener that does not listen proves nothing and is refused", async () => {
    const failure = await plan({ without: (row) => row.call === "listen" || row.call === "seccomp" });
    expect(failure).toEqual(["connect, unconfined", -111]);
  });

  test("T21 a user who keeps the way to new privileges cannot be confined, and is refused", async () => {
    const failure = await plan({
      without: (row) => row.name === "gain no privileges" || row.call === "capset",
    });
    // Only root may confine itself without giving up privileges first.
    expect(failure).toEqual(process.getuid?.() === 0 ? undefined : ["apply Landlock", -1]);
  });

  test("T24 a process that is not gum's child any more is refused", async () => {
    const failure = await plan({ without: (row) => row.name === "die with gum" });
    expect(failure).toBeUndefined();
    const rows = confinementRows({
      policy: await bench.policy(),
      arch: "x64",
      landlockAbi: 7,
      parentPid: 4_194_305,
      isRoot: true,
      attestation: { file: "/x", socket: "/x" },
      program: { path: "", argv: [], cwd: "/", byDescriptor: false },
    });
    expect(rows.find((row) => row.call === "getppid")?.expect).toBe(4_194_305);
  });
});
