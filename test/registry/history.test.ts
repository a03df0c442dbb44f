import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Registry } from "../../src/model/registry.ts";
import { afterFailure, quarantine } from "../../src/registry/backoff.ts";
import { collectGarbage } from "../../src/registry/gc.ts";
import { publish } from "../../src/registry/generations.ts";
import { history, rollback, rollbackChange } from "../../src/registry/history.ts";
import { takeLease } from "../../src/registry/leases.ts";
import { transferNamespace } from "../../src/registry/namespaces.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { removePlugin, withState } from "../../src/registry/rows.ts";
import { resolvedSchema } from "../../src/registry/schema-store.ts";
import { sealFileOf, writeSeal } from "../../src/registry/seal.ts";
import { copyTree } from "../../src/registry/stage.ts";
import { openStaging } from "../../src/registry/staging.ts";
import { hashTree } from "../../src/registry/tree.ts";
import {
  adding,
  lockRow,
  refusal,
  registryOf,
  stateRow,
  tempFolder,
  testHost,
  variantRow,
} from "./support.ts";

const limits = { maxFiles: 100, maxBytes: 1_000_000 };

function homeIn(folder: { path: string }) {
  return { name: "test", dataDir: join(folder.path, "data"), isDev: false };
}

/** Installs a plugin for real, as far as the registry knows: copied, hashed, sealed, published. */
async function install(home: ReturnType<typeof homeIn>, name: string, content: string) {
  const host = testHost();
  const source = join(home.dataDir, "..", `source-${name}-${content}`);
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "run"), content, { mode: 0o755 });
  const staging = await openStaging(host, home);
  const copied = await copyTree(host, source, join(staging.folder, "root"), limits);
  const sha256 = copied.entries[0]?.sha256 ?? "";
  const root = await staging.moveToRoot(home, name, sha256, "root");
  const tree = await hashTree(host, root);
  await writeSeal(host, sealFileOf(root), tree);
  const schema = resolvedSchema(`${name}.search.request`, { const: content });
  const change = (current: Registry): Registry => {
    const others = current.lock.plugins.some((row) => row.name === name)
      ? removePlugin(current, name)
      : current;
    const lock = lockRow(name, { install_root: root, install_tree_sha256: tree.sha256, version: content });
    const variant = variantRow(name, { schema_hashes: { [schema.ref]: schema.sha256 } });
    return {
      catalog: { ...others.catalog, variants: [...others.catalog.variants, variant] },
      lock: { ...others.lock, plugins: [...others.lock.plugins, lock] },
      state: { ...others.state, plugins: [...others.state.plugins, stateRow(name)] },
    };
  };
  const { generation } = await publish(host, home, change, {
    command: `plugin install ${name}`,
    txid: staging.txid,
    schemas: [schema],
    keep: 3,
  });
  await staging.close();
  return {
    root,
    generation,
    schema: join(home.dataDir, "plugin-schemas", `${schema.ref}.${schema.sha256}.json`),
  };
}

const failing = (now: number) => (current: Registry) =>
  quarantine(current, "fli", { code: "SERVICE_DOWN", reason: "it crashed", now });

describe("history", () => {
  test("R10 history lists generations in which lock or catalog changed, with what changed, newest first", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await install(home, "fli", "1.0");
    await publish(testHost(), home, failing(1_000_000), { command: "plugin run fli" });
    await install(home, "fli", "2.0");
    await publish(testHost(), home, (current) => removePlugin(current, "fli"), {
      command: "plugin remove fli",
    });
    const lines = await history(testHost(), home);
    expect(
      lines.map(({ generation, command, current, changes }) => ({ generation, command, current, changes })),
    ).toEqual([
      {
        generation: 4,
        command: "plugin remove fli",
        current: true,
        changes: [{ what: "plugin_removed", name: "fli", from: "2.0", to: null }],
      },
      {
        generation: 3,
        command: "plugin install fli",
        current: false,
        changes: [{ what: "plugin_upgraded", name: "fli", from: "1.0", to: "2.0" }],
      },
      {
        generation: 1,
        command: "plugin install fli",
        current: false,
        changes: [{ what: "plugin_added", name: "fli", from: null, to: "1.0" }],
      },
    ]);
  });

  test("R10 backoff records do not push useful generations out, and old useful ones do go", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const host = testHost();
    for (const version of ["1", "2", "3", "4", "5"]) await install(home, "fli", version);
    for (let at = 0; at < 30; at++)
      await publish(host, home, failing(1_000_000 + at), { command: "run", keep: 3 });
    const numbers = (await history(host, home)).map((line) => line.generation);
    expect(numbers).toEqual([5, 4, 3]);
    expect(
      readdirSync(join(home.dataDir, "generations"))
        .sort()
        .map((name) => Number(name.slice(0, 8))),
    ).toEqual([3, 4, 5, 31, 32, 33, 34, 35]);
  });
});

describe("rollback", () => {
  test("R10 rollback publishes a new generation with the lock and catalog of before, and keeps state", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const first = await install(home, "fli", "1.0");
    await install(home, "fli", "2.0");
    await publish(testHost(), home, failing(1_000_000), { command: "plugin run fli" });
    const { to, generation } = await rollback(testHost(), home, { command: "plugin rollback" });
    expect([to, generation]).toEqual([1, 4]);
    const registry = await readRegistry(testHost(), home);
    expect(registry.lock.plugins.map((row) => [row.version, row.install_root])).toEqual([
      ["1.0", first.root],
    ]);
    expect(registry.state.plugins.map((row) => [row.status, row.reason])).toEqual([
      ["quarantined", "it crashed"],
    ]);
  });

  test("R10 rollback to a generation whose install root was changed is refused and publishes nothing", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const { root } = await install(home, "fli", "1.0");
    await install(home, "fli", "2.0");
    chmodSync(join(root, "run"), 0o755);
    writeFileSync(join(root, "run"), "evil");
    chmodSync(join(root, "run"), 0o555);
    const refused = await refusal(() => rollback(testHost(), home, { command: "test", to: 1 }));
    expect(refused.code).toBe("PLUGIN_TREE_MODIFIED");
    expect((await readRegistry(testHost(), home)).state.install_generation).toBe(2);
  });

  test("R10 rollback to a number that is not kept names those that are", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await install(home, "fli", "1.0");
    const refused = await refusal(() => rollback(testHost(), home, { command: "test", to: 7 }));
    expect([refused.code, refused.message]).toEqual([
      "USAGE",
      'The profile "test" has no complete generation 7.',
    ]);
    expect(refused.details).toEqual({ generations: [1] });
    const nowhere = await refusal(() => rollback(testHost(), home, { command: "test" }));
    expect(nowhere.message).toBe('The profile "test" has no earlier generation to go back to.');
  });

  test("R10 rollback does not restore namespace claims: a prefix given away since is a conflict", async () => {
    const before = registryOf("fli");
    const now = transferNamespace(removePlugin(before, "fli"), "fli", "io.other", "2026-03-02T00:00:00.000Z");
    const change = rollbackChange(before, { isDev: false });
    const transaction = { generation: 2, txid: "aa", now: "2026-03-02T00:00:00.000Z" };
    const refused = await refusal(() => change(now, transaction));
    expect(refused.message).toBe('The name "fli" belongs to io.other, not to io.example.');
    const back = change(removePlugin(before, "fli"), transaction);
    expect(back.lock.namespaces).toEqual(before.lock.namespaces);
  });

  test("R10 a plugin that comes back by rollback is as quarantined as when it left, and never active at once", () => {
    const active = withState(registryOf("fli", "sea"), "fli", (row) => ({
      ...row,
      activated_at: row.installed_at,
    }));
    const before = withState(active, "sea", (row) =>
      afterFailure(row, { code: "PLUGIN_TREE_MODIFIED", reason: "changed", now: 0 }),
    );
    const gone = removePlugin(removePlugin(before, "fli"), "sea");
    const back = rollbackChange(before, { isDev: false })(gone, {
      generation: 9,
      txid: "aa",
      now: "2026-03-02T00:00:00.000Z",
    });
    expect(
      back.state.plugins.map((row) => [row.name, row.status, row.permanent_quarantine, row.activated_at]),
    ).toEqual([
      ["fli", "installed_pending_restart", false, null],
      ["sea", "quarantined", true, null],
    ]);
  });
});

describe("collecting", () => {
  test("R10 roots and schemas stay while a kept generation names them, and go when none does", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const installs = [];
    for (const version of ["1", "2", "3", "4", "5", "6", "7"])
      installs.push(await install(home, "fli", version));
    // Three useful generations are kept by the option, and the newest five by the rule for readers.
    const there = installs.map(({ root, schema }) => [
      existsSync(root),
      existsSync(sealFileOf(root)),
      existsSync(schema),
    ]);
    const gone = [false, false, false];
    const kept = [true, true, true];
    expect(there).toEqual([gone, gone, kept, kept, kept, kept, kept]);
    expect(await collectGarbage(testHost(), home, { command: "plugin gc" })).toEqual({
      roots: [],
      schemas: [],
      inUse: 0,
    });
  });

  test("R10 what a running server holds a lease on is not collected until it lets go", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const host = testHost();
    const first = await install(home, "fli", "1");
    const lease = await takeLease(host, home);
    const { schema_hashes } = (await readRegistry(host, home)).catalog.variants[0] ?? { schema_hashes: {} };
    const schemas = Object.entries(schema_hashes).map(([ref, sha256]) => `${ref}.${sha256}`);
    await lease.hold({ roots: [first.root], schemas });
    const second = await install(home, "fli", "2");
    for (const version of ["3", "4", "5", "6", "7"]) await install(home, "fli", version);
    expect([existsSync(first.root), existsSync(first.schema)]).toEqual([true, true]);
    expect([existsSync(second.root), existsSync(second.schema)]).toEqual([false, false]);
    expect((await collectGarbage(host, home, { command: "plugin gc" })).inUse).toBe(2);
    await lease.release();
    const collected = await collectGarbage(host, home, { command: "plugin gc" });
    expect(collected).toEqual({
      roots: [first.root],
      schemas: [expect.stringMatching(/^fli\.search\.request\./)],
      inUse: 0,
    });
    expect([existsSync(first.root), existsSync(first.schema)]).toEqual([false, false]);
  });

  test("R10 a lease that has not said what it needs covers everything, and a dead one nothing", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const host = testHost();
    await publish(host, home, adding("one"), { command: "test" });
    const stray = join(home.dataDir, "plugins", "old", "0123456789ab-01234567");
    mkdirSync(stray, { recursive: true });
    const lease = await takeLease(host, home);
    expect(await collectGarbage(host, home, { command: "gc" })).toEqual({ roots: [], schemas: [], inUse: 1 });
    await lease.release();
    writeFileSync(join(home.dataDir, "leases", "999-dead.lease"), '{"roots":["x"],"schemas":[]}');
    expect((await collectGarbage(host, home, { command: "gc" })).roots).toEqual([stray]);
    expect(readdirSync(join(home.dataDir, "leases"))).toEqual([]);
    expect(existsSync(stray)).toBe(false);
  });

  test("R10 an install that is under way keeps its root, and a folder that is no install root is never touched", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const host = testHost();
    await publish(host, home, adding("one"), { command: "test" });
    const source = join(folder.path, "source");
    mkdirSync(source);
    writeFileSync(join(source, "run"), "x");
    const staging = await openStaging(host, home);
    await copyTree(host, source, join(staging.folder, "root"), limits);
    const root = await staging.moveToRoot(home, "fli", "d".repeat(64), "root");
    const own = join(home.dataDir, "plugins", "fli", "my-notes");
    mkdirSync(own);
    expect((await collectGarbage(host, home, { command: "gc" })).roots).toEqual([]);
    expect(existsSync(root)).toBe(true);
    await staging.close();
    expect((await collectGarbage(host, home, { command: "gc" })).roots).toEqual([root]);
    expect([existsSync(root), existsSync(own)]).toEqual([false, true]);
  });

  test("W26 roots of other profiles in a shared install folder are not collected", async () => {
    using folder = tempFolder();
    const host = testHost();
    const home = { ...homeIn(folder), pluginsDir: join(folder.path, "shared") };
    await publish(host, home, adding("one"), { command: "test" });
    const foreign = join(home.pluginsDir, "other", "0123456789ab-01234567");
    mkdirSync(foreign, { recursive: true });
    expect((await collectGarbage(host, home, { command: "gc" })).roots).toEqual([]);
    expect(existsSync(foreign)).toBe(true);
  });

  test("the text of the record says who published and what", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    await publish(testHost(), home, adding("one"), {
      command: "plugin install one",
      txid: "00000000000000aa",
    });
    const path = join(home.dataDir, "generations", "00000001-00000000000000aa", "generation.json");
    const { files, at, ...rest } = JSON.parse(readFileSync(path, "utf8"));
    expect(Object.keys(files)).toEqual(["catalog", "lock", "state"]);
    expect(Date.parse(at)).toBeGreaterThan(0);
    expect(rest).toEqual({
      generation_schema_version: 1,
      install_generation: 1,
      install_txid: "00000000000000aa",
      command: "plugin install one",
      written_by: expect.stringMatching(/^\d+\.\d+\.\d+/),
      content_changed: true,
      changes: [{ what: "plugin_added", name: "one", from: null, to: "1.0.0" }],
      audit_head: { seq: 0, sha256: "0".repeat(64) },
    });
  });
});
