import { describe, expect, test } from "bun:test";
import { publish } from "../../src/registry/generations.ts";
import { rememberedRegistry } from "../../src/registry/remembered.ts";
import { adding, tempFolder, testHost } from "./support.ts";

describe("the remembered registry", () => {
  test("R7 a generation that was read is not read again, and the next one is noticed at once", async () => {
    using folder = tempFolder();
    const home = { name: "default", dataDir: folder.path };
    await publish(testHost(), home, adding("alpha"), { command: "test" });
    const real = testHost();
    let reads = 0;
    const counted = <A extends unknown[], R>(read: (...asked: A) => R) => {
      return (...asked: A): R => {
        reads++;
        return read(...asked);
      };
    };
    const { readBytes, readText, open } = real.files;
    const files = {
      ...real.files,
      readBytes: counted(readBytes),
      readText: counted(readText),
      open: counted(open),
    };
    const host = { ...real, files };
    const first = await rememberedRegistry(host, home);
    const readsOfOne = reads;
    expect(await rememberedRegistry(host, home)).toBe(first);
    expect([readsOfOne > 0, reads]).toEqual([true, readsOfOne]);
    // Another process publishes.
    await publish(testHost(), home, adding("beta"), { command: "test" });
    const second = await rememberedRegistry(host, home);
    expect(second.lock.plugins.map(({ name }) => name)).toEqual(["alpha", "beta"]);
    expect(reads).toBeGreaterThan(readsOfOne);
  });

  test("R7 two profiles of one process are not taken for each other", async () => {
    using folder = tempFolder();
    const host = testHost();
    const [one, two] = ["one", "two"].map((name) => ({ name, dataDir: `${folder.path}/${name}` }));
    if (one === undefined || two === undefined) throw new Error("There are two");
    await publish(host, one, adding("alpha"), { command: "test" });
    await publish(host, two, adding("beta"), { command: "test" });
    const names = async (home: typeof one) =>
      (await rememberedRegistry(host, home)).lock.plugins.map(({ name }) => name);
    expect([await names(one), await names(two), await names(one)]).toEqual([["alpha"], ["beta"], ["alpha"]]);
  });

  test("R8 an empty profile has an empty registry", async () => {
    using folder = tempFolder();
    const home = { name: "default", dataDir: `${folder.path}/none` };
    expect((await rememberedRegistry(testHost(), home)).lock.plugins).toEqual([]);
  });
});
