import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Row, scratch, text, words } from "../../../src/host/native/row.ts";
import { type Run, runRows } from "../../../src/host/native/run.ts";
import { createHost } from "../../../src/host/real.ts";

const host = createHost();
const end = (code: number): Row => ({ name: "end", call: "exit_group", args: [code], expect: "any" });
const row = (call: Row["call"], args: Row["args"], expected: Row["expect"], name: string = call): Row => ({
  name,
  call,
  args,
  expect: expected,
});
const told = (run: Run) => run.outcomes.map(({ row: { name }, result }) => [name, result]);

describe.skipIf(process.platform !== "linux")("the loop", () => {
  test("goes on when a result is exactly the expected one", async () => {
    const run = await runRows(host, [row("close", [99], -9), row("umask", [0o22], "any"), end(5)]);
    expect([run.code, told(run)]).toEqual([5, []]);
  });

  test("stops and tells at the first result that is another", async () => {
    const run = await runRows(host, [row("close", [99], 0, "close nothing"), end(5)]);
    expect([run.code, told(run)]).toEqual([126, [["close nothing", -9]]]);
  });

  test("takes an errno for itself and never for a kind of expectation", async () => {
    // −1, −2 and −3 are EPERM, ENOENT and ESRCH.
    const missing = row("openat", [-100, text("/nonexistent/file"), 0, 0], "non-negative");
    expect((await runRows(host, [missing, end(0)])).code).toBe(126);
    const expectedMissing = { ...missing, expect: -2 };
    expect((await runRows(host, [expectedMissing, end(0)])).code).toBe(0);
    const noProcess = row("kill", [0x3fffffff, 0], -3);
    expect((await runRows(host, [noProcess, end(0)])).code).toBe(0);
  });

  test("goes on with any result where any is expected", async () => {
    const run = await runRows(host, [row("close", [99], "any"), row("getpid", [], "any"), end(6)]);
    expect([run.code, told(run)]).toEqual([6, []]);
  });

  test("goes on with a non-negative result only where that is expected", async () => {
    const fine = await runRows(host, [row("getpid", [], "non-negative"), end(7)]);
    expect([fine.code, told(fine)]).toEqual([7, []]);
    const refused = await runRows(host, [row("close", [99], "non-negative"), end(7)]);
    expect([refused.code, told(refused)]).toEqual([126, [["close", -9]]]);
  });

  test("tells a result and goes on where a report is expected", async () => {
    const run = await runRows(host, [
      row("close", [99], "report", "first"),
      row("umask", [0o22], "any"),
      row("umask", [0], "report", "second"),
      end(8),
    ]);
    expect([run.code, told(run)]).toEqual([
      8,
      [
        ["first", -9],
        ["second", 0o22],
      ],
    ]);
  });

  test("follows a refusal to the row that is named where there is another way", async () => {
    const rows = (fd: number): Row[] => [
      row("close", [fd, 0, 0, 0, 0, { row: "other" }], "or-else"),
      end(1),
      { ...end(2), label: "other" },
    ];
    expect((await runRows(host, rows(99))).code).toBe(2);
    expect((await runRows(host, rows(0))).code).toBe(1);
  });

  test("lets a forked child go on at the row that is named", async () => {
    const run = await runRows(host, [
      row("clone", [17, 0, 0, 0, 0, { row: "child" }], "fork"),
      row("wait4", [-1, 0, 0, 0], "non-negative"),
      row("close", [98], "report", "parent"),
      end(3),
      { ...row("close", [99], "report", "child"), label: "child" },
      end(0),
    ]);
    expect(run.code).toBe(3);
    expect(told(run)).toEqual([
      ["child", -9],
      ["parent", -9],
    ]);
  });

  test("stops when a fork is refused", async () => {
    const shareNothing = 0x00000800 | 17; // CLONE_SIGHAND without CLONE_VM is EINVAL
    const run = await runRows(host, [
      row("clone", [shareNothing, 0, 0, 0, 0, { row: "x" }], "fork"),
      { ...end(0), label: "x" },
    ]);
    expect([run.code, told(run)]).toEqual([126, [["clone", -22]]]);
  });

  test("hands the kernel bytes, pointers, big numbers and memory that it may write", async () => {
    const all = words(0xffff_ffff_ffff_ffffn);
    const buffer = scratch(8);
    const folder = mkdtempSync(`${tmpdir()}/gum-rows-`);
    const fd = openSync(`${folder}/file`, "w+");
    try {
      const run = await runRows(
        host,
        [
          row("write", [4, all, 8], 8),
          row("write", [4, text("abc"), 4], 4),
          row("rt_sigprocmask", [2, all, buffer, 8], 0),
          row("rt_sigprocmask", [2, words(0), buffer, 8], 0),
          // SIGKILL and SIGSTOP cannot be blocked: the kernel wrote the rest of the mask into the buffer.
          row("write", [4, buffer, 8], 8),
          end(0),
        ],
        { descriptors: [fd] },
      );
      expect(run.code).toBe(0);
      const bytes = [...(await Bun.file(`${folder}/file`).bytes())];
      expect(bytes.slice(0, 12)).toEqual([255, 255, 255, 255, 255, 255, 255, 255, 97, 98, 99, 0]);
      expect(bytes.slice(12)).toEqual([255, 254, 251, 255, 255, 255, 255, 255]);
    } finally {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    }
  });

  test("is ended by the signal that it was given", async () => {
    const wait = row("read", [4, scratch(8), 1], "any");
    const started = performance.now();
    const run = await runRows(host, [wait, end(0)], {
      descriptors: ["pipe"],
      signal: AbortSignal.timeout(50),
    });
    expect(run.code).toBeNull();
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("leaves no file behind", async () => {
    const parent = mkdtempSync(`${tmpdir()}/gum-left-`);
    try {
      const env = { XDG_CACHE_HOME: parent };
      const run = await runRows({ ...host, env }, [end(4)]);
      expect(run.code).toBe(4);
      expect(await host.files.list(`${parent}/gum/run`)).toEqual([]);
    } finally {
      rmSync(parent, { recursive: true });
    }
  });
});
