import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfirmedCall } from "../../src/model/confirmation.ts";
import { processConfirmations, profileConfirmations } from "../../src/registry/confirmations.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { tempFolder, testHost } from "./support.ts";

const call: ConfirmedCall = { profile: "default", variantId: "v", risk: "destructive", args: { a: 1 } };

describe("the profile's tokens", () => {
  test("D4 one command makes the token, another uses it, and nobody uses it again", async () => {
    using folder = tempFolder();
    const home = { name: "default", dataDir: folder.path };
    const token = await profileConfirmations(testHost(), home).issue(call);
    expect(await profileConfirmations(testHost(), home).redeem(call, token)).toBeUndefined();
    expect(await profileConfirmations(testHost(), home).redeem(call, token)).toEqual({ reason: "replayed" });
  });

  test("D4 of many commands that use one token at once, one is let through", async () => {
    using folder = tempFolder();
    const home = { name: "default", dataDir: folder.path };
    const token = await profileConfirmations(testHost(), home).issue(call);
    const tries = Array.from({ length: 8 }, () => profileConfirmations(testHost(), home).redeem(call, token));
    const outcomes = (await Promise.all(tries)).map((refusal) => refusal?.reason ?? "used");
    expect(outcomes.toSorted()).toEqual([...Array(7).fill("replayed"), "used"]);
  });

  test("D4 the key is private, and used tokens cannot be forgotten without it", async () => {
    using folder = tempFolder();
    const home = { name: "default", dataDir: folder.path };
    const tokens = profileConfirmations(testHost(), home);
    const [used, open] = [await tokens.issue(call), await tokens.issue(call)];
    await tokens.redeem(call, used);
    const file = join(folder.path, "confirmations.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).not.toContain(used);
    for (const spoil of [() => rmSync(file), () => writeFileSync(file, '{"key":"')]) {
      spoil();
      expect(await tokens.redeem(call, used)).toEqual({ reason: "other-process" });
      expect(await tokens.redeem(call, open)).toEqual({ reason: "other-process" });
    }
  });

  test("D4 a token of one profile is refused in another", async () => {
    using folder = tempFolder();
    const host = testHost();
    const token = await profileConfirmations(host, { name: "default", dataDir: folder.path }).issue(call);
    const other = profileConfirmations(host, { name: "work", dataDir: join(folder.path, "work") });
    expect(await other.redeem({ ...call, profile: "work" }, token)).toEqual({ reason: "other-profile" });
  });

  test("D4 used tokens are remembered until they expire, and no longer", async () => {
    const host = createFakeHost({ files: { "/data/": "" } });
    const home = { name: "default", dataDir: "/data" };
    const tokens = profileConfirmations(host, home);
    const usedNow = async () =>
      Object.keys(JSON.parse(await host.files.readText("/data/confirmations.json")).used).length;
    for (let count = 1; count <= 3; count++) {
      await tokens.redeem(call, await tokens.issue(call));
      expect(await usedNow()).toBe(count);
    }
    const old = await tokens.issue(call);
    host.clock.advance(300_000);
    expect(await tokens.redeem(call, old)).toEqual({ reason: "expired" });
    await tokens.issue(call);
    expect(await usedNow()).toBe(0);
  });
});

describe("a server's tokens", () => {
  test("D4 they are worth nothing in another process, nor in a command", async () => {
    using folder = tempFolder();
    const [server, other] = [testHost(), testHost()];
    const token = await processConfirmations(server).issue(call);
    expect(await processConfirmations(other).redeem(call, token)).toEqual({ reason: "other-process" });
    const commands = profileConfirmations(other, { name: "default", dataDir: folder.path });
    expect(await commands.redeem(call, token)).toEqual({ reason: "other-process" });
    expect(await processConfirmations(server).redeem(call, await commands.issue(call))).toEqual({
      reason: "other-process",
    });
    expect(await processConfirmations(server).redeem(call, token)).toBeUndefined();
    expect(await processConfirmations(server).redeem(call, token)).toEqual({ reason: "replayed" });
  });
});
