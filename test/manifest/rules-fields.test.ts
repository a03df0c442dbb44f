import { expect, test } from "bun:test";
import { findingsError } from "../../src/base/errors.ts";
import { esm, findingsOf, flat, nested, outcomeOf } from "./samples.ts";

const invalid = (path: string) => [`PLUGIN_MANIFEST_INVALID ${path}`];

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
