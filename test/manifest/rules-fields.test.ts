import { expect, test } from "bun:test";
import { findingsError, GumError } from "../../src/base/errors.ts";
import { checkFields } from "../../src/manifest/checks/fields.ts";
import { chooseManifest, parseManifest } from "../../src/manifest/read.ts";
import { manifest, runAll } from "./run-all.ts";
import { esm, findingsOf, flat, nested, outcomeOf } from "./samples.ts";

const invalid = (path: string) => [`PLUGIN_MANIFEST_INVALID ${path}`];

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

test("M5 plugin ids are lower-case words of at most 64 characters", async () => {
  for (const id of ["", "Fli", "1fli", "-fli", "fl_i", "fli.x", "f".repeat(65), 7]) {
    expect(await findingsOf(flat(), { plugin_id: id })).toEqual(invalid("plugin_id"));
  }
  for (const id of ["f", "f-1", "f".repeat(64)])
    expect(await findingsOf(flat(), { plugin_id: id })).toEqual([]);
});

test("M6 the name is not empty", async () => {
  for (const name of ["", " \t", undefined, null])
    expect(await findingsOf(flat(), { name })).toEqual(invalid("name"));
});

test("M7 the version is present and free-form", async () => {
  for (const version of [undefined, "", 1])
    expect(await findingsOf(flat(), { version })).toEqual(invalid("version"));
  for (const version of ["2024-05", "v1", "one"]) expect(await findingsOf(flat(), { version })).toEqual([]);
});

test("M8 the owner is a reverse-DNS name or a registry identity", async () => {
  const refused = ["PLUGIN_NAMESPACE_CONFLICT namespace_owner"];
  for (const owner of [
    undefined,
    "",
    "acme",
    "io..x",
    "-a.b",
    "pypi:",
    "npm:@acme",
    "github:acme",
    "gitlab:a/b",
    5,
  ]) {
    expect(await findingsOf(flat(), { namespace_owner: owner })).toEqual(refused);
  }
  for (const owner of [
    "io.example.flights",
    "com.x-y.z",
    "pypi:fli",
    "npm:fli",
    "npm:@acme/fli",
    "github:acme/fli",
  ]) {
    expect(await findingsOf(flat(), { namespace_owner: owner })).toEqual([]);
  }
});

test("M9 the shape is one that gum hosts", async () => {
  for (const shape of [undefined, "", "mcp", "MCP-plugin", 4, "esm-plugin", "mcp-subprocess"]) {
    expect(await findingsOf(flat(), { shape })).toEqual(["PLUGIN_SHAPE_UNSUPPORTED shape"]);
  }
  for (const shape of ["mcp-plugin", "jsonl-plugin", "handshake-plugin"]) {
    expect(await findingsOf(flat(), { shape })).toEqual([]);
  }
});

test("M10 the executable is no shell, no interpreter, and stays in the folder", async () => {
  const untrusted = ["PLUGIN_EXECUTABLE_UNTRUSTED executable"];
  const names =
    "sh bash dash zsh ksh fish csh tcsh busybox env python python3 node deno bun ruby perl php pwsh powershell cmd cmd.exe";
  for (const name of [
    ...names.split(" "),
    "Python3.11",
    "bin/BASH",
    "node22",
    "php8.2",
    "perl5.36.0",
    "../fli",
    "a/../../b",
  ]) {
    expect(await findingsOf(flat(), { executable: name })).toEqual(untrusted);
  }
  for (const path of ["", " ", "/usr/bin/fli", "a\0b", "bin/", "C:\\fli.exe", "bin\\fli"]) {
    expect(await findingsOf(flat(), { executable: path })).toEqual(invalid("executable"));
  }
  for (const path of ["bin/fli", "./fli", "python-fli", "bin/bashful", "shim", "nodemon", "a..b"]) {
    expect(await findingsOf(flat(), { executable: path })).toEqual([]);
  }
});

test("M10 the executable is a file in the folder or a script of its pyproject.toml", async () => {
  expect(await findingsOf(flat(), {}, { program: "folder" })).toEqual(invalid("executable"));
  expect(await findingsOf(flat(), {}, { program: "absent" })).toEqual(invalid("executable"));
  expect(await findingsOf(flat(), {}, { program: "escapes" })).toEqual([
    "PLUGIN_EXECUTABLE_UNTRUSTED executable",
  ]);
  const script = { program: "absent", scripts: ["fli-mcp"] } as const;
  expect(await findingsOf(flat(), { executable: "fli-mcp" }, script)).toEqual([]);
  expect(await findingsOf(esm(), {}, { program: "absent" })).toEqual(["PLUGIN_ENTRY_INVALID entry"]);
});

test("M11 tool names are plain, and unique when case is ignored", async () => {
  for (const name of ["", " x", "-x", "a b", "a:b", "x".repeat(129), undefined]) {
    expect(await findingsOf(flat(), { "advertised_tools/0/name": name })).toEqual(
      invalid("advertised_tools[0].name"),
    );
  }
  const tools = ["Get", "get", "a.b/c-d_e", "x".repeat(128)].map((name) => ({ name, risk_class: "read" }));
  expect(await findingsOf(flat(), { advertised_tools: tools })).toEqual(invalid("advertised_tools[1].name"));
});

test("M12 the risk class is read, write or destructive", async () => {
  for (const risk of [undefined, "Read", "delete", null]) {
    const path = "advertised_tools[0].risk_class";
    expect(await findingsOf(flat(), { "advertised_tools/0/risk_class": risk })).toEqual(invalid(path));
  }
  for (const risk of ["read", "write", "destructive"]) {
    const { plugin } = await outcomeOf(flat(), { "advertised_tools/0/risk_class": risk });
    expect<unknown>(plugin?.tools[0]?.risk_class).toBe(risk);
  }
});

test("M13 network is a boolean", async () => {
  for (const network of [undefined, 1, "true", null]) {
    expect(await findingsOf(flat(), { "declared_capabilities/network": network })).toEqual(
      invalid("declared_capabilities.network"),
    );
  }
  const { plugin } = await outcomeOf(flat(), { "declared_capabilities/network": false });
  expect(plugin?.network).toBe(false);
});

test("M14 T22 fs_write_dir stays below the data folder", async () => {
  const path = "declared_capabilities.fs_write_dir";
  for (const folder of ["/tmp", "..", "a/../../b", "~/x", "C:\\x", "a\\b", "a\0"]) {
    expect(await findingsOf(flat(), { "declared_capabilities/fs_write_dir": folder })).toEqual([
      `PLUGIN_FS_WRITE_OUTSIDE_SANDBOX ${path}`,
    ]);
  }
  expect(await findingsOf(nested(), { "requirements/fs_write_dir": "/" })).toEqual([
    "PLUGIN_FS_WRITE_OUTSIDE_SANDBOX requirements.fs_write_dir",
  ]);
  for (const folder of ["", "cache", "a/b", "a..b"]) {
    expect(await findingsOf(flat(), { "declared_capabilities/fs_write_dir": folder })).toEqual([]);
  }
});

test("M39 ops of a flat manifest and of an ES-module plugin follow from id, tool and backend", async () => {
  const ids = async (sample: unknown, changes = {}) => {
    const { plugin } = await outcomeOf(sample, changes);
    return plugin?.tools.map(({ op_id, variant_id }) => [op_id, variant_id]);
  };
  expect(await ids(flat())).toEqual([["fli.search", "fli.search.mcp-plugin.v1"]]);
  expect(await ids(flat(), { shape: "jsonl-plugin" })).toEqual([
    ["fli.search", "fli.search.jsonl-plugin.v1"],
  ]);
  expect(await ids(esm())).toEqual([["net-utils.ping", "net-utils.ping.esm-plugin.v1"]]);
});

test("M41 the earliest class wins, and all of its findings stand together by position", async () => {
  const changes = {
    plugin_id: "Fli",
    version: "",
    "declared_capabilities/env_allow": ["GUM_HOME"],
    shape: "mcp-plugin",
  };
  const { findings } = await outcomeOf(flat(), { ...changes, "advertised_tools/0/risk_class": "no" });
  expect(findings.map(({ path, at }) => `${at?.line} ${path}`)).toEqual([
    "3 plugin_id",
    "5 version",
    "13 advertised_tools[0].risk_class",
  ]);
  const [first, ...others] = findings;
  if (first === undefined) throw new Error("no finding");
  const error = findingsError([first, ...others]);
  expect(error.code).toBe("PLUGIN_MANIFEST_INVALID");
  expect(error.message).toBe(
    'plugin_id must be a lower-case letter and up to 63 of a-z, 0-9 and -, not "Fli".',
  );
  expect(error.info.details?.findings).toHaveLength(3);
});

test("M42 arguments and literal variables keep their placeholders, and unknown ones warn", async () => {
  const { plugin, warnings } = await outcomeOf(flat(), {
    args: ["--db", `\${data}/db`, `\${HOME}`],
    env: { A: `\${root}`, B: `$x \${data}` },
  });
  expect(plugin?.command).toEqual(["bin/fli-mcp", "--db", `\${data}/db`, `\${HOME}`]);
  expect(plugin?.env).toEqual({ A: `\${root}`, B: `$x \${data}` });
  expect(warnings.map(({ path }) => path)).toEqual(["args[2]"]);
  expect(await findingsOf(flat(), { env: { BUN_OPTIONS: "x" } })).toEqual([
    "PLUGIN_ENV_PROHIBITED env.BUN_OPTIONS",
  ]);
  expect(await findingsOf(flat(), { env: { "a b": "x" } })).toEqual(['PLUGIN_MANIFEST_INVALID env["a b"]']);
  expect(await findingsOf(nested(), { env: { LD_PRELOAD: "x" } })).toEqual([
    "PLUGIN_ENV_PROHIBITED env.LD_PRELOAD",
  ]);
});

test("W16 a handshake plugin has its own side with defaults", async () => {
  const { plugin } = await outcomeOf(flat(), {
    shape: "handshake-plugin",
    handshake: { plugin_id: "a.b_c" },
  });
  expect(plugin?.handshake).toEqual({
    protocol: "rterm.plugin.v1",
    plugin_id: "a.b_c",
    launch_timeout_ms: 2000,
    handshake_timeout_ms: 2000,
    timeout_ms: 5000,
    teardown_timeout_ms: 500,
  });
  expect((await outcomeOf(flat())).plugin?.handshake).toBeNull();
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
