// Kills a real publishing process at each of its system calls that touch the registry, and looks at what is left.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publish } from "../../src/registry/generations.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { recover } from "../../src/registry/recover.ts";
import { adding, testHost } from "../../test/registry/support.ts";

const script = join(import.meta.dir, "../../test/registry/publish-loop.ts");
const hasStrace = Bun.which("strace") !== null;
const calls = [
  "mkdir",
  "openat",
  "write",
  "pwrite64",
  "fsync",
  "close",
  "symlink",
  "symlinkat",
  "rename",
  "renameat",
  "unlink",
  "unlinkat",
  "rmdir",
  "ftruncate",
  "fchmod",
  "chmod",
];

let folder = "";
let base = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gum-crash-"));
  base = join(folder, "base");
  for (let at = 0; at < 7; at++) {
    await publish(testHost(), { name: "test", dataDir: base }, adding(`old${at}`), {
      command: "test",
      keep: 5,
    });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Call {
  readonly name: string;
  /** Which of its calls of this name by the main thread it is, counted from 1. */
  readonly nth: number;
  readonly line: string;
}

/** Runs one publish under strace; the calls of the main thread that name the data folder. */
async function trace(dataDir: string): Promise<Call[]> {
  const log = join(folder, "trace");
  const run = Bun.spawnSync(
    [
      "strace",
      "-f",
      "-y",
      "-s",
      "0",
      "-e",
      `trace=${calls.join(",")}`,
      "-o",
      log,
      process.execPath,
      script,
      dataDir,
      "new",
      "1",
      "5",
    ],
    { timeout: 60_000, killSignal: "SIGKILL" },
  );
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
  const lines = (await Bun.file(log).text()).split("\n");
  const main = lines[0]?.split(" ")[0];
  const counts = new Map<string, number>();
  return lines.flatMap((line): Call[] => {
    const [, pid, name] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (pid !== main || name === undefined) return [];
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return line.includes(dataDir) ? [{ name, nth, line }] : [];
  });
}

describe.skipIf(!hasStrace)("a publishing process (needs strace)", () => {
  test("R6 files are flushed before their folder, that before the swap, and the data folder after it", async () => {
    const dataDir = join(folder, "order");
    cpSync(base, dataDir, { recursive: true, verbatimSymlinks: true });
    const steps = (await trace(dataDir)).flatMap(({ name, line }) => {
      const short = line
        .replaceAll(dataDir, "")
        .replace(/-[0-9a-f]{16}/g, "")
        .replace(/\.[0-9a-f]{16}\./g, ".");
      const path = /<\/?([^>]*)>/.exec(short)?.[1] ?? "";
      if (name === "fsync") return [`fsync ${path === "" ? "data" : path}`];
      if (name.startsWith("rename") && short.includes('/current"')) return ["swap current"];
      if (name === "mkdir" && short.includes("00000008")) return ["mkdir generations/00000008"];
      return [];
    });
    expect(steps).toEqual([
      "mkdir generations/00000008",
      "fsync generations/00000008/plugin-catalog.json",
      "fsync generations/00000008/plugins.lock",
      "fsync generations/00000008/plugin-state.json",
      "fsync generations/00000008/references.json",
      "fsync generations/00000008/generation.json",
      "fsync generations/00000008",
      "fsync generations",
      "swap current",
      "fsync data",
    ]);
  }, 120_000);

  test("R8 a SIGKILL at any system call leaves the old generation or the new one, whole, and the next publish works", async () => {
    const planned = join(folder, "plan");
    cpSync(base, planned, { recursive: true, verbatimSymlinks: true });
    const points = await trace(planned);
    expect(points.length).toBeGreaterThan(40);
    const outcomes = { old: 0, new: 0, survived: 0 };
    const faults: unknown[] = [];
    for (const point of points) {
      const dataDir = join(folder, "victim");
      rmSync(dataDir, { recursive: true, force: true });
      cpSync(base, dataDir, { recursive: true, verbatimSymlinks: true });
      const inject = `inject=${point.name}:signal=SIGKILL:when=${point.nth}`;
      const run = Bun.spawnSync(
        [
          "strace",
          "-f",
          "-qq",
          "-e",
          `trace=${point.name}`,
          "-e",
          inject,
          "-o",
          "/dev/null",
          process.execPath,
          script,
          dataDir,
          "new",
          "1",
          "5",
        ],
        { timeout: 60_000, killSignal: "SIGKILL" },
      );
      const fault = await look(dataDir, run.exitCode === 0, outcomes);
      if (fault !== undefined) faults.push([point.name, point.nth, point.line, fault]);
    }
    console.log(`${points.length} points of death: ${JSON.stringify(outcomes)}`);
    expect(faults).toEqual([]);
    expect(outcomes.old).toBeGreaterThan(20);
    expect(outcomes.new).toBeGreaterThan(0);
  }, 600_000);
});

/** Undefined when everything is as it must be. */
async function look(
  dataDir: string,
  survived: boolean,
  outcomes: { old: number; new: number; survived: number },
): Promise<string | undefined> {
  const home = { name: "test", dataDir };
  const host = testHost();
  const { catalog, lock, state } = await readRegistry(host, home);
  const numbers = [catalog, lock, state].map((file) => file.install_generation);
  const counts = [catalog.variants.length, lock.plugins.length, state.plugins.length];
  const number = state.install_generation;
  if (host.warnings.length > 0) return `reading warned: ${host.warnings.join("; ")}`;
  if (new Set([...numbers, ...counts]).size !== 1) return `mixed: ${numbers} ${counts}`;
  if (number !== 7 && number !== 8) return `generation ${number}`;
  if (survived) outcomes.survived++;
  else if (number === 7) outcomes.old++;
  else outcomes.new++;
  const { selected } = await recover(host, home);
  if (selected !== null) return `recovery had to select ${selected}`;
  const next = await publish(host, home, adding("after"), { command: "test" });
  if (next.generation !== number + 1) return `the next generation was ${next.generation}`;
  if (
    readlinkSync(join(dataDir, "current")) !== `generations/${`${number + 1}`.padStart(8, "0")}-${next.txid}`
  ) {
    return "current does not lead to it";
  }
  const left = readdirSync(dataDir).filter((name) => name.endsWith(".new"));
  return left.length > 0 ? `left over: ${left.join(", ")}` : undefined;
}
