import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publish } from "../../src/registry/generations.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { publishTogether } from "../../test/registry/concurrency.ts";
import { adding, testHost } from "../../test/registry/support.ts";

const isRoot = process.getuid?.() === 0;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("R11 fifty processes on one profile all succeed one after the other, and nothing is lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gum-load-"));
  try {
    const result = await publishTogether(join(folder, "data"), 50, 4, 120_000);
    expect(result.failures).toEqual([]);
    expect(result.numbers).toEqual(range(1, 200));
    expect(result.folders).toEqual(range(1, 200));
    expect(result.plugins).toEqual(
      range(0, 49)
        .flatMap((who) => range(0, 3).map((at) => `p${who}-${at}`))
        .sort(),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);

test.skipIf(!isRoot)(
  "R9 a full disk is REGISTRY_IO, leaves the old generation, and room makes it work again (mounting needs root)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "gum-full-"));
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "gum-full", disk], {
      timeout: 10_000,
    });
    expect(mounted.status).toBe(0);
    try {
      const home = { name: "test", dataDir: join(disk, "data") };
      await publish(testHost(), home, adding("one"), { command: "test" });
      const before = readlinkSync(join(home.dataDir, "current"));
      const ballast: string[] = [];
      for (let at = 0; ; at++) {
        const path = join(disk, `ballast${at}`);
        try {
          writeFileSync(path, new Uint8Array(4096));
          ballast.push(path);
        } catch (error) {
          expect(error).toMatchObject({ code: "ENOSPC" });
          break;
        }
      }
      // With each page that is freed the disk fills up at a later point of the transaction.
      let refused = 0;
      for (;;) {
        try {
          await publish(testHost(), home, adding(`two${refused}`), { command: "test" });
          break;
        } catch (error) {
          expect(error).toMatchObject({
            code: "REGISTRY_IO",
            message: expect.stringMatching(/^Cannot (lock|write) the registry of profile "test": ENOSPC\.$/),
          });
          expect(readlinkSync(join(home.dataDir, "current"))).toBe(before);
          expect((await readRegistry(testHost(), home)).lock.plugins.map((row) => row.name)).toEqual(["one"]);
          refused++;
          rmSync(ballast.pop() ?? "");
        }
      }
      expect(refused).toBeGreaterThan(2);
      expect((await readRegistry(testHost(), home)).state.install_generation).toBe(2);
    } finally {
      expect(spawnSync("umount", [disk], { timeout: 10_000 }).status).toBe(0);
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
