import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { appendAudit, openAudit, tailAudit } from "../../src/registry/audit.ts";
import { verifyAudit } from "../../src/registry/audit-verify.ts";
import { publish } from "../../src/registry/generations.ts";
import { adding, refusal, tempFolder, testHost } from "./support.ts";

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const event = (name: string, details = {}) => ({ event: name, outcome: "ok" as const, details });

function homeIn(folder: { path: string }) {
  const dataDir = join(folder.path, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  return { name: "test", dataDir, log: join(dataDir, "audit.jsonl") };
}

async function rows(home: ReturnType<typeof homeIn>, ...names: string[]) {
  for (const name of names) await appendAudit(testHost(), home, event(name));
}

const linesOf = (path: string) => readFileSync(path, "utf8").split("\n");

describe("the chain", () => {
  test("R15 each row carries the SHA-256 of the row before it, and the file is 0600", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await rows(home, "a", "b", "c");
    const lines = linesOf(home.log);
    expect(lines.pop()).toBe("");
    const parsed = lines.map((line) => JSON.parse(line));
    expect(parsed.map(({ seq, event, prev }) => [seq, event, prev])).toEqual([
      [1, "a", "0".repeat(64)],
      [2, "b", sha256(lines[0] ?? "")],
      [3, "c", sha256(lines[1] ?? "")],
    ]);
    expect((statSync(home.log).mode & 0o777).toString(8)).toBe("600");
    expect(await verifyAudit(testHost(), home)).toEqual({
      rows: 3,
      parts: 1,
      firstSeq: 1,
      head: { seq: 3, sha256: sha256(lines[2] ?? "") },
      torn: false,
      anchored: 0,
    });
  });

  test("R15 an event with a field that rows do not have is refused, so that nothing can slip in", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const log = openAudit(testHost(), home);
    const leaking = { ...event("a"), env: { TOKEN: "secret" } };
    expect(() => log.append(leaking)).toThrow();
    expect(existsSync(home.log)).toBe(false);
  });

  test("R15 many rows at once keep their order and need few locks", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const real = testHost();
    let locks = 0;
    const host = {
      ...real,
      files: {
        ...real.files,
        lock: (...args: Parameters<typeof real.files.lock>) => {
          locks++;
          return real.files.lock(...args);
        },
      },
    };
    const log = openAudit(host, home);
    const heads = await Promise.all(
      Array.from({ length: 500 }, (_, at) => log.append(event("call", { at }))),
    );
    expect(heads.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
    expect(locks).toBeLessThan(5);
    expect((await verifyAudit(host, home)).rows).toBe(500);
    expect((await tailAudit(host, home, 3)).map((row) => row.details)).toEqual([
      { at: 497 },
      { at: 498 },
      { at: 499 },
    ]);
  });

  test("R15 a log that lingers takes its lock once for many rows, and another process still gets its turn", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const real = testHost();
    let locks = 0;
    const host = {
      ...real,
      files: {
        ...real.files,
        lock: (...args: Parameters<typeof real.files.lock>) => {
          locks++;
          return real.files.lock(...args);
        },
      },
    };
    const log = openAudit(host, home, { lingerMs: 200 });
    for (let at = 0; at < 50; at++) await log.append(event("call", { at }));
    expect(locks).toBe(1);
    await appendAudit(real, home, event("other"));
    await log.append(event("again"));
    await log.close();
    expect(locks).toBe(2);
    await appendAudit(real, home, event("last"));
    expect((await verifyAudit(real, home)).rows).toBe(53);
    expect((await tailAudit(real, home, 3)).map((row) => row.event)).toEqual(["other", "again", "last"]);
  });

  test("R15 six processes that append at once make one chain, across rotations", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const script = join(import.meta.dir, "audit-loop.ts");
    const children = Array.from({ length: 6 }, (_, who) =>
      Bun.spawn([process.execPath, script, home.dataDir, String(who), "25"], {
        timeout: 30_000,
        killSignal: "SIGKILL",
      }),
    );
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0, 0, 0, 0]);
    const report = await verifyAudit(testHost(), home);
    expect(report.rows).toBe(150);
    expect(report.parts).toBeGreaterThan(4);
    const all = await tailAudit(testHost(), home, 1000);
    expect(new Set(all.map(({ details }) => `${details?.who}-${details?.at}`)).size).toBe(150);
  }, 40_000);

  test("R15 a full file is set aside and the chain goes on in the next one", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    for (let at = 0; at < 6; at++) {
      await appendAudit(testHost(), home, event("x", { text: "y".repeat(600) }), { rotateBytes: 1000 });
    }
    expect(
      readdirSync(home.dataDir)
        .filter((name) => name.endsWith("jsonl"))
        .sort(),
    ).toEqual(["audit.000000000002.jsonl", "audit.000000000004.jsonl", "audit.jsonl"]);
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 6, parts: 3, firstSeq: 1 });
    const [first] = linesOf(join(home.dataDir, "audit.000000000004.jsonl"));
    const [, last] = linesOf(join(home.dataDir, "audit.000000000002.jsonl"));
    expect(JSON.parse(first ?? "").prev).toBe(sha256(last ?? ""));
  });

  test("R15 a crash between setting a file aside and the next row does not break the chain", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await rows(home, "a", "b");
    const { renameSync } = await import("node:fs");
    renameSync(home.log, join(home.dataDir, "audit.000000000002.jsonl"));
    await rows(home, "c");
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 3, parts: 2 });
  });
});

describe("a torn last line", () => {
  test("R15 it is set off, named by a row of its own, and said; the chain stays whole", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await rows(home, "a", "b", "c");
    const whole = readFileSync(home.log);
    const [, , last] = linesOf(home.log);
    truncateSync(home.log, whole.length - 20);
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 2, torn: true });
    const host = testHost();
    await appendAudit(host, home, event("d"));
    expect(host.warnings).toEqual([
      'the last line of the audit log of profile "test" was torn; it has been repaired',
    ]);
    const torn = `${last}\n`.slice(0, -20);
    const parsed = (await tailAudit(testHost(), home, 10)).map(({ seq, event, details }) => ({
      seq,
      event,
      details,
    }));
    expect(parsed).toEqual([
      { seq: 1, event: "a", details: {} },
      { seq: 2, event: "b", details: {} },
      { seq: 3, event: "audit.repaired", details: { torn_bytes: torn.length, torn_sha256: sha256(torn) } },
      { seq: 4, event: "d", details: {} },
    ]);
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 4, torn: false });
  });

  test("R15 a row that lacks only its newline is kept", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await rows(home, "a", "b");
    truncateSync(home.log, statSync(home.log).size - 1);
    await rows(home, "c");
    expect((await tailAudit(testHost(), home, 10)).map((row) => row.event)).toEqual(["a", "b", "c"]);
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 3, torn: false });
  });

  test("R15 bytes that are no text, as a power cut leaves them, are repaired too, also as the only line", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    writeFileSync(home.log, new Uint8Array(300));
    await rows(home, "a");
    appendFileSync(home.log, new Uint8Array([0xff, 0x00, 0x80]));
    await rows(home, "b");
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 4, torn: false });
    expect((await tailAudit(testHost(), home, 10)).map((row) => row.event)).toEqual([
      "audit.repaired",
      "a",
      "audit.repaired",
      "b",
    ]);
  });

  test("R15 a last row longer than what is read at once is found", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await appendAudit(testHost(), home, event("long", { text: "x".repeat(700_000) }));
    await rows(home, "b");
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 2 });
  });
});

describe("verify", () => {
  async function broken(change: (lines: string[]) => string[]) {
    using folder = tempFolder();
    const home = homeIn(folder);
    await rows(home, "a", "b", "c", "d");
    writeFileSync(home.log, change(linesOf(home.log)).join("\n"));
    const { code, message, details } = await refusal(() => verifyAudit(testHost(), home));
    expect(code).toBe("REGISTRY_IO");
    return { message, details };
  }

  test("R15 a changed row is found by the row behind it", async () => {
    const { message, details } = await broken((lines) =>
      lines.map((line) => line.replace('"event":"b"', '"event":"B"')),
    );
    expect(message).toBe(
      "The audit log is broken at row 3 (audit.jsonl:3): it does not carry the digest of the row before it, so one of both was changed.",
    );
    expect(details).toMatchObject({ file: "audit.jsonl", line: 3, seq: 3 });
  });

  test("R15 a removed row, a doubled row and rows in another order are found at the first wrong one", async () => {
    const without = await broken(([a = "", , ...rest]) => [a, ...rest]);
    expect(without.details).toMatchObject({ line: 2, seq: 2 });
    const twice = await broken(([a = "", b = "", ...rest]) => [a, b, b, ...rest]);
    expect(twice.details).toMatchObject({ line: 3, seq: 3 });
    const swapped = await broken(([a = "", b = "", c = "", ...rest]) => [a, c, b, ...rest]);
    expect(swapped.details).toMatchObject({ line: 2, seq: 2 });
  });

  test("R15 a line that is no row is found, and a repair row does not excuse any other line", async () => {
    const rubbish = await broken(([a = "", ...rest]) => [a, "rubbish", ...rest]);
    expect(rubbish.details).toMatchObject({ line: 2, seq: 2, reason: "it is no row of the log" });
  });

  test("R15 each generation records the head, so that a log cut short or rewritten is found", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await rows(home, "a", "b", "c");
    await publish(testHost(), home, adding("fli"), { command: "test" });
    await rows(home, "d");
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 4, anchored: 1 });
    const lines = linesOf(home.log);
    writeFileSync(home.log, `${lines.slice(0, 2).join("\n")}\n`);
    expect((await refusal(() => verifyAudit(testHost(), home))).message).toBe(
      "The audit log is broken at row 3 (audit.jsonl:3): the log ends before row 3, which a generation names.",
    );
    rmSync(home.log);
    await rows(home, "a", "b", "forged", "d");
    expect((await refusal(() => verifyAudit(testHost(), home))).message).toBe(
      "The audit log is broken at row 3 (audit.jsonl:3): a generation records another digest for it.",
    );
  });

  test("R15 an empty log is whole, and so is one whose oldest parts were taken away", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 0, parts: 0, head: { seq: 0 } });
    for (let at = 0; at < 6; at++) {
      await appendAudit(testHost(), home, event("x", { text: "y".repeat(600) }), { rotateBytes: 1000 });
    }
    rmSync(join(home.dataDir, "audit.000000000002.jsonl"));
    expect(await verifyAudit(testHost(), home)).toMatchObject({ rows: 4, firstSeq: 3 });
  });
});
