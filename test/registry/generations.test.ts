import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RegistryChange } from "../../src/model/transaction.ts";
import { tailAudit } from "../../src/registry/audit.ts";
import { publish } from "../../src/registry/generations.ts";
import { findTarget } from "../../src/registry/history.ts";
import { withInstallLock } from "../../src/registry/install-lock.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { adding, errno, failingHost, picture, refusal, tempFolder, testHost } from "./support.ts";

const isRoot = process.getuid?.() === 0;

function home(folder: { path: string }) {
  return { name: "test", dataDir: join(folder.path, "data") };
}

describe("the three files", () => {
  test("R1 a generation holds three files with one stamp, sorted rows, two spaces and a newline at the end", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("zebra"), { command: "test", txid: "00000000000000a1" });
    await publish(host, at, adding("ant"), { command: "test", txid: "00000000000000a2" });
    const current = join(at.dataDir, "generations", "00000002-00000000000000a2");
    expect(readlinkSync(join(at.dataDir, "current"))).toBe("generations/00000002-00000000000000a2");
    const files = ["plugin-catalog.json", "plugins.lock", "plugin-state.json"];
    const values = files.map((name) => {
      const text = readFileSync(join(current, name), "utf8");
      const value = JSON.parse(text);
      expect(text).toBe(`${JSON.stringify(value, null, 2)}\n`);
      expect(readFileSync(join(at.dataDir, name), "utf8")).toBe(text);
      expect([value.install_generation, value.install_txid]).toEqual([2, "00000000000000a2"]);
      return value;
    });
    const [catalog, lock, state] = values;
    expect(Object.keys(catalog)).toEqual([
      "plugin_catalog_schema_version",
      "install_generation",
      "install_txid",
      "updated_at",
      "variants",
    ]);
    expect(catalog.variants.map((row: { variant_id: string }) => row.variant_id)).toEqual([
      "ant.search.mcp-plugin.v1",
      "zebra.search.mcp-plugin.v1",
    ]);
    expect(lock.plugins_lock_schema_version).toBe(1);
    expect(lock.plugins.map((row: { name: string }) => row.name)).toEqual(["ant", "zebra"]);
    expect(lock.namespaces).toEqual([]);
    expect(state.plugin_state_schema_version).toBe(1);
    expect(state.plugins.map((row: { name: string }) => row.name)).toEqual(["ant", "zebra"]);
  });

  test("R1 folders are 0700 and files 0600", async () => {
    using folder = tempFolder();
    const at = home(folder);
    await publish(testHost(), at, adding("one"), { command: "test" });
    const wrong = Object.entries(picture(at.dataDir)).filter(
      ([, what]) => !what.startsWith("->") && !what.startsWith("folder 700") && !what.startsWith("600 "),
    );
    expect(wrong).toEqual([]);
    expect((lstatSync(at.dataDir).mode & 0o777).toString(8)).toBe("700");
  });

  test("a row that was not changed keeps its text, and the file is what writing it all anew would give", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    for (const name of ["b", "d", "a", "c"]) await publish(host, at, adding(name), { command: "test" });
    const lift: RegistryChange = (current) => ({
      ...current,
      lock: {
        ...current.lock,
        plugins: current.lock.plugins.map((row) => (row.name === "b" ? { ...row, version: "2.0.0" } : row)),
      },
    });
    await publish(host, at, lift, { command: "test" });
    const text = readFileSync(join(at.dataDir, "plugins.lock"), "utf8");
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    const rows = JSON.parse(text).plugins.map((row: { name: string; version: string }) => [
      row.name,
      row.version,
    ]);
    expect(rows).toEqual([
      ["a", "1.0.0"],
      ["b", "2.0.0"],
      ["c", "1.0.0"],
      ["d", "1.0.0"],
    ]);
  });

  const future = [
    ["plugin-catalog.json", "plugin_catalog_schema_version", "PLUGIN_CATALOG_SCHEMA_UNSUPPORTED"],
    ["plugins.lock", "plugins_lock_schema_version", "PLUGIN_LOCK_SCHEMA_UNSUPPORTED"],
    ["plugin-state.json", "plugin_state_schema_version", "PLUGIN_STATE_SCHEMA_UNSUPPORTED"],
  ] as const;
  for (const [file, key, code] of future) {
    test(`R5 a ${file} of a newer gum is refused by reading and by publishing, and nothing is rewritten`, async () => {
      using folder = tempFolder();
      const host = testHost();
      const at = home(folder);
      await publish(host, at, adding("one"), { command: "test" });
      const path = join(at.dataDir, file);
      writeFileSync(path, readFileSync(path, "utf8").replace(`"${key}": 1`, `"${key}": 2`));
      const before = picture(at.dataDir);
      expect((await refusal(() => readRegistry(host, at))).code).toBe(code);
      expect((await refusal(() => publish(host, at, adding("two"), { command: "test" }))).code).toBe(code);
      const after = picture(at.dataDir);
      delete before["plugins.install.lock"];
      delete after["plugins.install.lock"];
      expect(after).toEqual(before);
    });
  }
});

describe("files of another gum", () => {
  test("R5 what an older gum wrote is checked again, and fields that were added since get their defaults", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "test" });
    const generation = join(at.dataDir, "current");
    const lock = readFileSync(join(generation, "plugins.lock"), "utf8").replace('      "pins": null,\n', "");
    writeFileSync(join(generation, "plugins.lock"), lock);
    const record = JSON.parse(readFileSync(join(generation, "generation.json"), "utf8"));
    record.files.lock = new Bun.CryptoHasher("sha256").update(lock).digest("hex");
    record.written_by = "0.1.0";
    writeFileSync(join(generation, "generation.json"), JSON.stringify(record));
    expect(lock).not.toContain("pins");
    expect((await readRegistry(host, at)).lock.plugins[0]?.pins).toBeNull();
    const { registry } = await publish(host, at, adding("two"), { command: "test" });
    expect(registry.lock.plugins.map((row) => row.pins)).toEqual([null, null]);
    expect(readFileSync(join(at.dataDir, "plugins.lock"), "utf8").match(/"pins": null/g)).toHaveLength(2);
    expect(host.warnings).toEqual([]);
  });
});

describe("files that something else has changed", () => {
  /** Raises a plugin's grants in the lock, as an editor would. */
  function edit(dataDir: string): void {
    const path = join(dataDir, "current", "plugins.lock");
    const text = readFileSync(path, "utf8");
    const edited = text.replace('"shm": false', '"shm": true');
    expect(edited).not.toBe(text);
    writeFileSync(path, edited);
  }
  const said = 'generation 1 of profile "test" is not as gum wrote it: plugins.lock; run `gum doctor`';

  test("R8 an edited lock is read with a warning that is said once, and only while it fits its schema", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "test" });
    await readRegistry(host, at);
    expect(host.warnings).toEqual([]); // the control
    edit(at.dataDir);
    expect((await readRegistry(host, at)).lock.plugins[0]?.granted_capabilities.shm).toBe(true);
    await readRegistry(host, at);
    expect(host.warnings).toEqual([said]);
    const path = join(at.dataDir, "current", "plugins.lock");
    writeFileSync(path, readFileSync(path, "utf8").replace('"shm": true', '"shm": "yes"'));
    expect((await refusal(() => readRegistry(host, at))).code).toBe("REGISTRY_IO");
  });

  test("R15 a change that is made from an edited lock leaves a row in the audit log", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "test" });
    edit(at.dataDir);
    await publish(host, at, adding("two"), { command: "test" });
    const rows = await tailAudit(host, at, 5);
    expect(rows.map(({ event, generation, details }) => [event, generation, details])).toEqual([
      ["registry.altered", 1, { files: ["plugins.lock"] }],
    ]);
    expect(host.warnings).toEqual([said]);
    const refused = await refusal(() => findTarget(host, at, 1));
    expect([refused.code, refused.message]).toEqual([
      "REGISTRY_IO",
      'Generation 1 of profile "test" is not as gum wrote it.',
    ]);
  });
});

describe("transactions", () => {
  test("R6 a FIFO in the place of the lock is REGISTRY_IO at once, and nothing changes", async () => {
    using folder = tempFolder();
    const at = home(folder);
    await publish(testHost(), at, adding("one"), { command: "test" });
    const lock = join(at.dataDir, "plugins.install.lock");
    rmSync(lock);
    expect(Bun.spawnSync(["mkfifo", lock], { timeout: 5000 }).exitCode).toBe(0);
    const refused = await refusal(() => publish(testHost(), at, adding("two"), { command: "test" }));
    expect([refused.code, refused.message, refused.details]).toEqual([
      "REGISTRY_IO",
      'Cannot lock the registry of profile "test": ENXIO.',
      { profile: "test", errno: "ENXIO", path: lock },
    ]);
    rmSync(lock);
    // The control: with a file in its place again, the same change is made.
    await publish(testHost(), at, adding("two"), { command: "test" });
    expect((await readRegistry(testHost(), at)).lock.plugins.map(({ name }) => name)).toEqual(["one", "two"]);
  });

  test("R6 numbers rise by one, and the change sees the generation that is current under the lock", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    const seen: number[] = [];
    for (const name of ["a", "b", "c"]) {
      const { generation } = await publish(
        host,
        at,
        (current, transaction) => {
          seen.push(current.lock.plugins.length, transaction.generation);
          return adding(name)(current);
        },
        { command: "test" },
      );
      seen.push(generation);
    }
    expect(seen).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3]);
  });

  test("R6 a change that throws leaves everything as it was", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "first" });
    const before = picture(at.dataDir);
    const refused = publish(
      host,
      at,
      () => {
        throw new Error("no");
      },
      { command: "first" },
    );
    await expect(refused).rejects.toThrow("no");
    delete before["plugins.install.lock"];
    const after = picture(at.dataDir);
    delete after["plugins.install.lock"];
    expect(after).toEqual(before);
  });

  test("R6 a change that changes nothing publishes nothing", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "test" });
    const { changed, generation } = await publish(host, at, (current) => current, { command: "test" });
    expect([changed, generation]).toEqual([false, 1]);
    expect(readdirSync(join(at.dataDir, "generations"))).toHaveLength(1);
  });

  test("R6 a held lock is REGISTRY_LOCKED after the budget, naming the holder's pid and command", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "test" });
    const refused = await withInstallLock(host, at, { command: "plugin install slow" }, () =>
      refusal(() => publish(host, at, adding("two"), { command: "test", waitMs: 50 })),
    );
    expect(refused.code).toBe("REGISTRY_LOCKED");
    expect(refused.message).toStartWith(
      `The registry of profile "test" is held by process ${process.pid} (plugin install slow, since 20`,
    );
    await publish(host, at, adding("two"), { command: "test", waitMs: 50 });
  });

  test("R6 a row that breaks its model never reaches the disk", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    const refused = await refusal(() =>
      publish(host, at, adding("one", { lock: { file_count: -1 } }), { command: "test" }),
    );
    expect(refused.code).toBe("INTERNAL_ERROR");
    expect(refused.message).toContain('The registry row of "one" is wrong at file_count');
    expect(existsSync(join(at.dataDir, "current"))).toBe(false);
  });

  test("R7 a reader that resolved current before a publish gets that generation whole, and the next read the new one", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "test" });
    let links = 0;
    const reader = failingHost({
      async readlink(path) {
        links++;
        const target = readlinkSync(path);
        if (links === 1) await publish(host, at, adding("two"), { command: "test" });
        return target;
      },
    });
    const first = await readRegistry(reader, at);
    expect(links).toBe(1);
    expect([first.catalog, first.lock, first.state].map((file) => file.install_generation)).toEqual([
      1, 1, 1,
    ]);
    expect((await readRegistry(reader, at)).state.install_generation).toBe(2);
  });

  test("R7 a generation that ages out while it is read is read again from the new current", async () => {
    using folder = tempFolder();
    const host = testHost();
    const at = home(folder);
    await publish(host, at, adding("one"), { command: "test" });
    let first = true;
    const reader = failingHost({
      async readlink(path) {
        const target = readlinkSync(path);
        if (first) {
          first = false;
          await publish(host, at, adding("two"), { command: "test" });
          rmSync(join(at.dataDir, target), { recursive: true });
        }
        return target;
      },
    });
    expect((await readRegistry(reader, at)).lock.plugins.map((row) => row.name)).toEqual(["one", "two"]);
    expect(reader.warnings).toEqual([]);
  });

  test("R7 an empty profile reads as an empty registry and nothing is made", async () => {
    using folder = tempFolder();
    const registry = await readRegistry(testHost(), home(folder));
    expect([registry.catalog.variants, registry.lock.plugins, registry.state.plugins]).toEqual([[], [], []]);
    expect(registry.state.install_generation).toBe(0);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("R9 a file system without fsync is warned about once and passed over", async () => {
    using folder = tempFolder();
    const at = home(folder);
    for (const code of ["ENOTSUP", "EINVAL"]) {
      const host = failingHost({ syncFolder: () => Promise.reject(errno(code)) });
      await publish(host, at, adding(`a-${code.toLowerCase()}`), { command: "test" });
      await publish(host, at, adding(`b-${code.toLowerCase()}`), { command: "test" });
      expect(host.warnings).toEqual([
        'the file system of profile "test" does not support fsync: a power cut may lose the last change',
      ]);
    }
    expect((await readRegistry(testHost(), at)).state.install_generation).toBe(4);
  });

  const faults = [
    ["a full disk while a file is written", "ENOSPC", "write"],
    ["a failing fsync of a file", "EIO", "sync"],
    ["a failing fsync of a folder", "EIO", "syncFolder"],
    ["a failing rename", "EIO", "rename"],
    ["a failing link", "ENOSPC", "symlink"],
    ["a failing mkdir", "EDQUOT", "mkdir"],
  ] as const;
  for (const [what, code, call] of faults) {
    test(`R9 ${what} is REGISTRY_IO and leaves the old generation and no rubbish`, async () => {
      using folder = tempFolder();
      const at = home(folder);
      await publish(testHost(), at, adding("one"), { command: "test" });
      const before = picture(at.dataDir);
      const fail = () => Promise.reject(errno(code));
      const real = testHost().files;
      const host = failingHost({
        ...(call === "syncFolder" || call === "rename" || call === "symlink" || call === "mkdir"
          ? { [call]: fail }
          : {}),
        ...(call === "write" || call === "sync"
          ? { open: async (path, how) => ({ ...(await real.open(path, how)), [call]: fail }) }
          : {}),
      });
      const refused = await refusal(() => publish(host, at, adding("two"), { command: "test" }));
      expect(refused.code).toBe("REGISTRY_IO");
      expect(refused.message).toBe(`Cannot write the registry of profile "test": ${code}.`);
      const after = picture(at.dataDir);
      delete before["plugins.install.lock"];
      delete after["plugins.install.lock"];
      expect(after).toEqual(before);
      expect((await publish(testHost(), at, adding("two"), { command: "test" })).generation).toBe(2);
    });
  }

  test("R9 a flush that fails only after the swap puts the old generation back", async () => {
    using folder = tempFolder();
    const at = home(folder);
    await publish(testHost(), at, adding("one"), { command: "test" });
    const before = readlinkSync(join(at.dataDir, "current"));
    const real = testHost().files;
    const host = failingHost({
      syncFolder: (path) => (path === at.dataDir ? Promise.reject(errno("EIO")) : real.syncFolder(path)),
    });
    expect((await refusal(() => publish(host, at, adding("two"), { command: "test" }))).code).toBe(
      "REGISTRY_IO",
    );
    expect(readlinkSync(join(at.dataDir, "current"))).toBe(before);
    expect(readdirSync(join(at.dataDir, "generations"))).toHaveLength(1);
  });

  test.skipIf(isRoot)(
    "R9 a data folder without write permission is REGISTRY_IO (root may write anywhere)",
    async () => {
      using folder = tempFolder();
      const at = home(folder);
      mkdirSync(at.dataDir, { mode: 0o500 });
      const refused = await refusal(() => publish(testHost(), at, adding("one"), { command: "test" }));
      expect([refused.code, refused.message]).toEqual([
        "REGISTRY_IO",
        'Cannot write the registry of profile "test": EACCES.',
      ]);
      chmodSync(at.dataDir, 0o700);
      await publish(testHost(), at, adding("one"), { command: "test" });
    },
  );

  test("a publish that is aborted before the swap leaves the old generation", async () => {
    using folder = tempFolder();
    const at = home(folder);
    const stop = new AbortController();
    const real = testHost().files;
    const host = failingHost({
      async syncFolder(path) {
        await real.syncFolder(path);
        stop.abort(new Error("interrupted"));
      },
    });
    const stopped = publish(host, at, adding("one"), { command: "test", signal: stop.signal });
    await expect(stopped).rejects.toThrow("interrupted");
    expect((await readRegistry(testHost(), at)).state.install_generation).toBe(0);
  });
});
