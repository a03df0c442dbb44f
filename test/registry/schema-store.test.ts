import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publish } from "../../src/registry/generations.ts";
import { readSchema, resolvedSchema } from "../../src/registry/schema-store.ts";
import { adding, errno, failingHost, refusal, tempFolder, testHost } from "./support.ts";

const schema = { type: "object", properties: { b: { type: "string" }, a: {} } };
const text = '{"properties":{"a":{},"b":{"type":"string"}},"type":"object"}';
// printf '%s' "$text" | sha256sum
const digest = "02f05292f9e7b37efdf994c1234f4be75cf8b0006a89f8b18f34fb99d27dd3d7";

function homeIn(folder: { path: string }) {
  return { name: "test", dataDir: join(folder.path, "data") };
}

describe("stored schemas", () => {
  test("M28 a schema is stored in JCS form under its ref and digest, inside the transaction", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const stored = resolvedSchema("fli.search.request", schema);
    expect(stored).toEqual({ ref: "fli.search.request", sha256: digest, text });
    await publish(testHost(), home, adding("fli"), { command: "test", schemas: [stored] });
    const path = join(home.dataDir, "plugin-schemas", `fli.search.request.${digest}.json`);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    expect(await readSchema(testHost(), home, "fli.search.request", digest)).toEqual(schema);
  });

  test("M28 a transaction that fails takes its schemas back", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const host = failingHost({ symlink: () => Promise.reject(errno("EIO")) });
    const schemas = [resolvedSchema("fli.search.request", schema)];
    expect((await refusal(() => publish(host, home, adding("fli"), { command: "test", schemas }))).code).toBe(
      "REGISTRY_IO",
    );
    expect(readdirSync(join(home.dataDir, "plugin-schemas"))).toEqual([]);
  });

  test("M28 a stored schema that was changed is REGISTRY_IO, and storing it again mends it", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    const stored = resolvedSchema("fli.search.request", schema);
    await publish(testHost(), home, adding("fli"), { command: "test", schemas: [stored] });
    const path = join(home.dataDir, "plugin-schemas", `fli.search.request.${digest}.json`);
    truncateSync(path, 0);
    expect((await refusal(() => readSchema(testHost(), home, "fli.search.request", digest))).code).toBe(
      "REGISTRY_IO",
    );
    await publish(testHost(), home, adding("sea"), { command: "test", schemas: [stored] });
    expect(await readSchema(testHost(), home, "fli.search.request", digest)).toEqual(schema);
  });

  test("M27 a ref that would leave the folder is refused before a path is built", async () => {
    using folder = tempFolder();
    const home = homeIn(folder);
    writeFileSync(join(folder.path, "outside.json"), "{}");
    for (const ref of ["../outside", "a/b", "a..b", "A", "", "a\0", "a%2fb"]) {
      expect((await refusal(() => readSchema(testHost(), home, ref, digest))).code).toBe(
        "PLUGIN_SCHEMA_REF_INVALID",
      );
      const schemas = [{ ref, sha256: digest, text }];
      expect(
        (await refusal(() => publish(testHost(), home, adding("x"), { command: "test", schemas }))).code,
      ).toBe("PLUGIN_SCHEMA_REF_INVALID");
    }
  });
});
