import { expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { checkFields } from "../../src/manifest/checks/fields.ts";
import { chooseManifest, parseManifest } from "../../src/manifest/read.ts";
import { manifest, runAll } from "./run-all.ts";
import { esm, findingsOf, flat, nested, outcomeOf } from "./samples.ts";

function codeOf(run: () => unknown): { code: string; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof GumError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
}

test("M1 a folder has exactly one manifest", () => {
  expect(chooseManifest(["README.md", "manifest.toml"])).toBe("manifest.toml");
  expect(chooseManifest(["mcp-plugin.json", "dist"])).toBe("mcp-plugin.json");
  expect(codeOf(() => chooseManifest(["package.json", "MANIFEST.JSON"]))).toEqual({
    code: "PLUGIN_MANIFEST_NOT_FOUND",
    message: "The folder has no manifest.json, manifest.toml or mcp-plugin.json.",
  });
  expect(codeOf(() => chooseManifest(["mcp-plugin.json", "manifest.json"]))).toEqual({
    code: "PLUGIN_MANIFEST_INVALID",
    message: "The folder has more than one manifest: manifest.json, mcp-plugin.json.",
  });
});

test("M2 a syntax fault names file, line and column and shows the line", async () => {
  const { findings } = await runAll(manifest("manifest.json", '{\n  "a": 1\n  "b": 2\n}'));
  expect(findings).toEqual([
    {
      code: "PLUGIN_MANIFEST_INVALID",
      message: 'manifest.json cannot be read: expected "}" or a comma, found "\\"".',
      at: { file: "manifest.json", line: 3, column: 3, text: '  "b": 2' },
    },
  ]);
});

test("M2 a file over 1 MiB is refused, one of exactly 1 MiB is read", async () => {
  const sized = (bytes: number) => `{"x-fill":"${"a".repeat(bytes - 13)}"}`;
  const over = await runAll(manifest("manifest.json", sized(1024 * 1024 + 1)));
  expect(over.findings[0]?.message).toBe("manifest.json is larger than 1 MiB.");
  const full = await runAll(manifest("manifest.json", sized(1024 * 1024)));
  expect(full.findings[0]?.code).toBe("PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED");
});

test("M2 nesting of 64 is read and of 65 is refused, in JSON and TOML", async () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const json = (levels: number) =>
    parseManifest(manifest("manifest.json", `{"x-d":${deep(levels)}}`).manifest);
  const toml = (levels: number) => parseManifest(manifest("manifest.toml", `x-d = ${deep(levels)}`).manifest);
  expect((await json(63)).dialect).toBe("flat");
  expect((await toml(63)).dialect).toBe("flat");
  for (const read of [json, toml]) {
    const error: unknown = await read(64).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GumError);
    expect(String(error)).toContain("more than 64 levels of nesting");
  }
});

test("M2 a TOML key cannot reach into JavaScript's own objects", async () => {
  const attacks = [
    "[toString]\ncall = 1",
    "[[valueOf]]\nx = 1",
    "hasOwnProperty.call = 1",
    "a = { constructor.x = 1 }",
    '"\\u005f_proto__" = 1',
    "a = [1,\n { 'isPrototypeOf'.x = 1 }]",
    'x = """\n"""\n[constructor]\nfoo = 1',
  ];
  for (const attack of attacks) {
    const { findings } = await runAll(manifest("manifest.toml", attack));
    expect({ attack, message: findings[0]?.message }).toEqual({
      attack,
      message: expect.stringMatching(/^manifest\.toml cannot be read: the key "\w+" is not allowed\.$/),
    });
  }
  expect(Object.hasOwn(Object.prototype.toString, "call")).toBe(false);
  expect(Object.hasOwn(Object, "foo")).toBe(false);
});

test("M3 the schema version is the integer 1 at the top level", async () => {
  const refused = (path: string) => [`PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED ${path}`];
  for (const version of [undefined, 2, 0, "1", null, [1], 1.5, true]) {
    expect(await findingsOf(flat(), { manifest_schema_version: version })).toEqual(
      refused("manifest_schema_version"),
    );
  }
  expect(await findingsOf(nested(), { "plugin/manifest_schema_version": 1 })).toEqual(
    refused("plugin.manifest_schema_version"),
  );
  expect(await findingsOf(esm(), { manifestVersion: "1" })).toEqual(refused("manifestVersion"));
  expect(await findingsOf(esm(), { manifestVersion: 2 })).toEqual(refused("manifestVersion"));
  expect(await findingsOf(esm())).toEqual([]);
});

test("M4 unknown fields warn, are findings when strict, and pass with x-", async () => {
  const changes = { executabel: "x", "x-any": 1, "advertised_tools/0/riskclass": "read" };
  const { warnings, plugin } = await outcomeOf(flat(), changes);
  expect(plugin?.id).toBe("fli");
  expect(warnings.map(({ message }) => message)).toEqual([
    'advertised_tools[0].riskclass is not a field that gum knows: did you mean "risk_class"?',
    'executabel is not a field that gum knows: did you mean "executable"?',
  ]);
  expect(await findingsOf(flat(), changes, { strict: true })).toEqual([
    "PLUGIN_MANIFEST_INVALID advertised_tools[0].riskclass",
    "PLUGIN_MANIFEST_INVALID executabel",
  ]);
});

test("a manifest of an ordinary size is parsed and checked in far less than a millisecond", async () => {
  const { manifest: file } = manifest("manifest.json", JSON.stringify(flat(), null, 2));
  const run = async () => checkFields(await parseManifest(file), { dev: false, strict: true });
  for (let i = 0; i < 300; i += 1) await run();
  const times: number[] = [];
  for (let i = 0; i < 200; i += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  const median = times.toSorted((a, b) => a - b)[100] ?? Number.POSITIVE_INFINITY;
  expect(median).toBeLessThan(1);
});
