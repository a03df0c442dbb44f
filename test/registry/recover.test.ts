import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { publish } from "../../src/registry/generations.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { recover } from "../../src/registry/recover.ts";
import { copyTree } from "../../src/registry/stage.ts";
import { openStaging } from "../../src/registry/staging.ts";
import { adding, picture, refusal, tempFolder, testHost } from "./support.ts";

const isRoot = process.getuid?.() === 0;
const limits = { maxFiles: 100, maxBytes: 1_000_000 };

/** A profile with three generations: one, two, three plugins. */
async function threeGenerations(folder: { path: string }) {
  const at = { name: "test", dataDir: join(folder.path, "data") };
  for (const [index, name] of ["a", "b", "c"].entries()) {
    await publish(testHost(), at, adding(name), { command: "test", txid: `00000000000000a${index + 1}` });
  }
  const generation = (number: number) =>
    join(at.dataDir, "generations", `0000000${number}-00000000000000a${number}`);
  return { at, generation, current: join(at.dataDir, "current") };
}

describe("after a crash", () => {
  test("R8 a healthy registry is left alone", async () => {
    using folder = tempFolder();
    const { at } = await threeGenerations(folder);
    const before = picture(at.dataDir);
    expect(await recover(testHost(), at)).toEqual({ selected: null, moved: [] });
    expect(picture(at.dataDir)).toEqual(before);
  });

  test("R8 an absent current selects the newest complete generation, and says so once", async () => {
    using folder = tempFolder();
    const { at, current } = await threeGenerations(folder);
    unlinkSync(current);
    const host = testHost();
    expect((await readRegistry(host, at)).state.install_generation).toBe(3);
    expect((await readRegistry(host, at)).state.install_generation).toBe(3);
    expect(host.warnings).toEqual([
      'the current generation of profile "test" is absent; generation 3 is used',
    ]);
    expect(await recover(host, at)).toEqual({ selected: 3, moved: [] });
    expect(readlinkSync(current)).toBe("generations/00000003-00000000000000a3");
    expect(await recover(host, at)).toEqual({ selected: null, moved: [] });
  });

  for (const [what, target] of [
    ["a generation that is not there", "generations/00000009-00000000000000ff"],
    ["somewhere else", "../elsewhere"],
  ] as const) {
    test(`R8 a current that leads to ${what} selects the newest complete generation`, async () => {
      using folder = tempFolder();
      const { at, current } = await threeGenerations(folder);
      unlinkSync(current);
      symlinkSync(target, current);
      expect((await readRegistry(testHost(), at)).state.install_generation).toBe(3);
      expect(await recover(testHost(), at)).toEqual({ selected: 3, moved: [] });
      expect((await publish(testHost(), at, adding("d"), { command: "test" })).generation).toBe(4);
    });
  }

  for (const file of ["plugin-catalog.json", "plugins.lock", "plugin-state.json"]) {
    for (const [what, damage] of [
      ["cut off", (path: string) => truncateSync(path, 100)],
      ["empty", (path: string) => truncateSync(path, 0)],
      ["missing", (path: string) => unlinkSync(path)],
      ["not UTF-8", (path: string) => writeFileSync(path, new Uint8Array([0xff, 0xfe]))],
    ] as const) {
      test(`R8 a newest generation whose ${file} is ${what} goes to quarantine, and the one before it is used`, async () => {
        using folder = tempFolder();
        const { at, generation, current } = await threeGenerations(folder);
        damage(join(generation(3), file));
        const host = testHost();
        expect((await readRegistry(host, at)).lock.plugins.map((row) => row.name)).toEqual(["a", "b"]);
        expect(await recover(host, at)).toEqual({
          selected: 2,
          moved: ["generation-00000003-00000000000000a3"],
        });
        expect(readlinkSync(current)).toBe("generations/00000002-00000000000000a2");
        expect(existsSync(join(at.dataDir, "quarantine", "generation-00000003-00000000000000a3"))).toBe(true);
        expect((await publish(host, at, adding("d"), { command: "test" })).generation).toBe(3);
      });
    }
  }

  test("R8 files of two generations in one folder are no generation", async () => {
    using folder = tempFolder();
    const { at, generation } = await threeGenerations(folder);
    rmSync(join(generation(3), "plugins.lock"));
    symlinkSync("../00000002-00000000000000a2/plugins.lock", join(generation(3), "plugins.lock"));
    expect((await readRegistry(testHost(), at)).state.install_generation).toBe(2);
    rmSync(join(generation(3), "plugins.lock"));
    writeFileSync(
      join(generation(3), "plugins.lock"),
      await Bun.file(join(generation(2), "plugins.lock")).text(),
    );
    expect((await readRegistry(testHost(), at)).state.install_generation).toBe(2);
  });

  test("R8 a file that was edited by hand and still fits its model is used", async () => {
    using folder = tempFolder();
    const { at, generation } = await threeGenerations(folder);
    const path = join(generation(3), "plugins.lock");
    writeFileSync(path, (await Bun.file(path).text()).replace('"version": "1.0.0"', '"version": "1.0.1"'));
    expect((await readRegistry(testHost(), at)).lock.plugins[0]?.version).toBe("1.0.1");
  });

  test("R8 a generation that was written but never became current goes to quarantine", async () => {
    using folder = tempFolder();
    const { at, current } = await threeGenerations(folder);
    unlinkSync(current);
    symlinkSync("generations/00000002-00000000000000a2", current);
    symlinkSync("generations/00000003-00000000000000a3", join(at.dataDir, "current.00000000000000a3.new"));
    expect((await readRegistry(testHost(), at)).state.install_generation).toBe(2);
    expect(await recover(testHost(), at)).toEqual({
      selected: null,
      moved: ["generation-00000003-00000000000000a3"],
    });
    expect(readdirSync(at.dataDir).filter((name) => name.startsWith("current"))).toEqual(["current"]);
  });

  test("R8 a first publish that was cut off leaves an empty registry", async () => {
    using folder = tempFolder();
    const at = { name: "test", dataDir: join(folder.path, "data") };
    mkdirSync(join(at.dataDir, "generations", "00000001-00000000000000a1"), { recursive: true });
    expect((await readRegistry(testHost(), at)).state.install_generation).toBe(0);
    expect(await recover(testHost(), at)).toEqual({
      selected: null,
      moved: ["generation-00000001-00000000000000a1"],
    });
    expect((await publish(testHost(), at, adding("a"), { command: "test" })).generation).toBe(1);
  });

  test("R8 a registry of which no generation is whole is REGISTRY_IO, never an empty one", async () => {
    using folder = tempFolder();
    const { at, generation } = await threeGenerations(folder);
    for (const number of [1, 2, 3]) truncateSync(join(generation(number), "plugins.lock"), 10);
    const before = picture(at.dataDir);
    for (const work of [
      () => readRegistry(testHost(), at),
      () => recover(testHost(), at),
      () => publish(testHost(), at, adding("d"), { command: "test" }),
    ]) {
      expect((await refusal(work)).code).toBe("REGISTRY_IO");
    }
    const after = picture(at.dataDir);
    delete before["plugins.install.lock"];
    delete after["plugins.install.lock"];
    expect(after).toEqual(before);
  });

  test("R8 publishing recovers by itself", async () => {
    using folder = tempFolder();
    const { at, generation } = await threeGenerations(folder);
    truncateSync(join(generation(3), "plugin-state.json"), 5);
    const { registry, generation: number } = await publish(testHost(), at, adding("d"), { command: "test" });
    expect([registry.lock.plugins.map((row) => row.name), number]).toEqual([["a", "b", "d"], 3]);
  });

  test.skipIf(isRoot)(
    "R8 a damaged registry that cannot be written is still read (root may write anywhere)",
    async () => {
      using folder = tempFolder();
      const { at, current } = await threeGenerations(folder);
      unlinkSync(current);
      rmSync(join(at.dataDir, "plugins.install.lock"));
      chmodSync(at.dataDir, 0o500);
      expect(await recover(testHost(), at)).toEqual({ selected: null, moved: [] });
      expect((await readRegistry(testHost(), at)).state.install_generation).toBe(3);
      chmodSync(at.dataDir, 0o700);
    },
  );
});

describe("leftovers of installs", () => {
  test("R8 staging of a process that is gone goes to quarantine, with the install root that it had begun", async () => {
    using folder = tempFolder();
    const { at } = await threeGenerations(folder);
    const script = `
      import { createHost } from "${join(import.meta.dir, "../../src/host/real.ts")}";
      import { copyTree } from "${join(import.meta.dir, "../../src/registry/stage.ts")}";
      import { openStaging } from "${join(import.meta.dir, "../../src/registry/staging.ts")}";
      const host = createHost();
      const home = ${JSON.stringify(at)};
      const staging = await openStaging(host, home);
      await copyTree(host, ${JSON.stringify(join(import.meta.dir))}, staging.folder + "/root", ${JSON.stringify(limits)});
      console.log(await staging.moveToRoot(home, "fli", "${"c".repeat(64)}", "root"));
      process.kill(process.pid, "SIGKILL");`;
    const child = Bun.spawnSync([process.execPath, "-e", script], { timeout: 20_000 });
    const root = child.stdout.toString().trim();
    expect(root).toMatch(/\/plugins\/fli\/cccccccccccc-[0-9a-f]{8}$/);
    expect([child.signalCode, existsSync(join(root, "support.ts"))]).toEqual(["SIGKILL", true]);
    const { moved } = await recover(testHost(), at);
    expect(moved).toHaveLength(1);
    expect(moved[0]).toMatch(/^staging-[0-9a-f]{16}$/);
    expect(readdirSync(join(at.dataDir, "staging"))).toEqual([]);
    expect(readdirSync(join(at.dataDir, "plugins"))).toEqual([]);
  });

  test("R8 a seal that was not put in place is removed by the next change, once nobody can be writing it", async () => {
    using folder = tempFolder();
    const { at } = await threeGenerations(folder);
    const plugin = join(at.dataDir, "plugins", "fli");
    mkdirSync(plugin, { recursive: true });
    const old = join(plugin, "0123456789ab-01234567.seal.89abcdef.new");
    const fresh = join(plugin, "0123456789ab-01234567.seal.fedcba98.new");
    const other = join(plugin, "notes.new");
    for (const path of [old, fresh, other]) writeFileSync(path, "half");
    const hourAgo = Date.now() / 1000 - 3600;
    for (const path of [old, other]) utimesSync(path, hourAgo, hourAgo);
    await publish(testHost(), at, adding("d"), { command: "test" });
    expect([old, fresh, other].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  test("R8 a running install of another process is not disturbed", async () => {
    using folder = tempFolder();
    const { at } = await threeGenerations(folder);
    const host = testHost();
    const staging = await openStaging(host, at);
    writeFileSync(join(staging.folder, "work"), "in progress");
    const script = `
      import { createHost } from "${join(import.meta.dir, "../../src/host/real.ts")}";
      import { recover } from "${join(import.meta.dir, "../../src/registry/recover.ts")}";
      console.log(JSON.stringify(await recover(createHost(), ${JSON.stringify(at)})));`;
    const child = Bun.spawnSync([process.execPath, "-e", script], { timeout: 20_000 });
    expect(child.stdout.toString().trim()).toBe('{"selected":null,"moved":[]}');
    expect(existsSync(join(staging.folder, "work"))).toBe(true);
    await staging.close();
    expect(readdirSync(join(at.dataDir, "staging"))).toEqual([]);
  });

  test("P13 an install root that was taken back leaves the data folder as it was", async () => {
    using folder = tempFolder();
    const { at } = await threeGenerations(folder);
    mkdirSync(join(at.dataDir, "plugins"), { mode: 0o700 });
    const source = join(folder.path, "source");
    mkdirSync(join(source, "bin"), { recursive: true });
    writeFileSync(join(source, "bin", "run"), "x", { mode: 0o755 });
    const before = picture(at.dataDir);
    const host = testHost();
    const staging = await openStaging(host, at);
    await copyTree(host, source, join(staging.folder, "root"), limits);
    const root = await staging.moveToRoot(at, "fli", "c".repeat(64), "root");
    expect(picture(root)).toEqual({ bin: "folder 555", "bin/run": "555 x" });
    await staging.removeRoot(at, root);
    await staging.close();
    const after = picture(at.dataDir);
    delete before["plugins.install.lock"];
    delete after["plugins.install.lock"];
    expect(after).toEqual(before);
  });
});
