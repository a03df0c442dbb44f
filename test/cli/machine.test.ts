import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { Doctor, SandboxTest } from "../../src/cli/answers/machine.ts";
import { createScratch } from "./real-world.ts";

test("T25 doctor names the layers of the sandbox and finds a new profile in order", async () => {
  await using scratch = createScratch();
  const said = await scratch.gum(["doctor", "--json"]);
  expect(said.code).toBe(0);
  const examined = v.parse(Doctor, JSON.parse(said.out));
  expect(examined.map(({ what }) => what)).toEqual([
    "sandbox",
    "sandbox: read",
    "sandbox: write",
    "sandbox: truncate",
    "sandbox: network",
    "sandbox: signals",
    "registry",
    "left over",
    "audit log",
    "pipelines",
  ]);
  expect(examined.filter(({ verdict }) => verdict === "fault")).toEqual([]);
});

test("R15 doctor names a broken audit chain and says so in its exit code", async () => {
  await using scratch = createScratch();
  await scratch.gum(["plugin", "install", scratch.plugin("hello"), "--yes"]);
  const data = join(scratch.folder, ".local/share/gum/default");
  writeFileSync(join(data, "audit.jsonl"), '{"seq":1}\n');
  const said = await scratch.gum(["doctor", "--json"]);
  const found = v.parse(Doctor, JSON.parse(said.out)).find(({ what }) => what === "audit log");
  expect([said.code, found?.verdict, found?.finding.startsWith("REGISTRY_IO: ")]).toEqual([
    11,
    "fault",
    true,
  ]);
});

test("P4 doctor points at faults of edited pipelines", async () => {
  await using scratch = createScratch();
  const config = join(scratch.folder, ".config/gum/default");
  mkdirSync(config, { recursive: true });
  mkdirSync(join(scratch.folder, "mine"));
  writeFileSync(
    join(config, "config.toml"),
    `[pipelines]\ndir = ${JSON.stringify(join(scratch.folder, "mine"))}\n`,
  );
  writeFileSync(join(scratch.folder, "mine/install.yaml"), "pipeline: install\n");
  const said = await scratch.gum(["doctor"]);
  expect(said.code).toBe(11);
  expect(said.out).toContain("run `gum pipeline lint`");
});

test("T25 sandbox test makes every attempt with a control and finds nothing open", async () => {
  await using scratch = createScratch();
  const said = await scratch.gum(["sandbox", "test", "--json"]);
  expect(said.code).toBe(0);
  const attempts = v.parse(SandboxTest, JSON.parse(said.out));
  expect(attempts.length).toBeGreaterThan(70);
  expect(
    attempts.filter(({ verdict, needs_landlock_abi }) => verdict === "open" && needs_landlock_abi === null),
  ).toEqual([]);
  // A refusal counts only where the same attempt succeeds without the sandbox.
  expect(attempts.filter(({ verdict, control }) => verdict === "denied" && control !== "ok")).toEqual([]);
  expect(attempts.filter(({ verdict }) => verdict === "denied").length).toBeGreaterThan(50);
});

test("R8 doctor and verify report a lock that something other than gum has changed", async () => {
  await using scratch = createScratch();
  expect((await scratch.gum(["plugin", "install", scratch.plugin("hello"), "--yes"])).code).toBe(0);
  expect((await scratch.gum(["plugin", "verify"])).code).toBe(0);
  const path = join(scratch.folder, ".local/share/gum/default/current/plugins.lock");
  writeFileSync(path, readFileSync(path, "utf8").replace('"shm": false', '"shm": true'));
  const verified = await scratch.gum(["plugin", "verify", "--json"]);
  const { ok, registry } = JSON.parse(verified.out);
  expect([verified.code, ok, registry.altered]).toEqual([4, false, ["plugins.lock"]]);
  const { out } = await scratch.gum(["doctor", "--json"]);
  const found = v.parse(Doctor, JSON.parse(out)).find(({ what }) => what === "registry");
  expect([found?.verdict, found?.finding]).toEqual([
    "fault",
    `generation ${registry.generation} with 1 plugins is not as gum wrote it: plugins.lock`,
  ]);
});
