import { expect, test } from "bun:test";
import { manifest, runAll } from "./run-all.ts";
import { esm, findingsOf, flat, nested, outcomeOf } from "./samples.ts";

const lines = (...list: readonly string[]): string => `${list.join("\n")}\n`;
const messagesOf = async (sample: unknown, changes: Readonly<Record<string, unknown>>, how = {}) =>
  (await outcomeOf(sample, changes, how)).findings.map(({ message }) => message);

test("M18 a missing or empty tool_name is told at the tool, also when the canary means it", async () => {
  for (const name of [undefined, "", 7]) {
    expect(await findingsOf(nested(), { "tools/0/tool_name": name })).toEqual([
      "PLUGIN_BINDING_INVALID tools[0].tool_name",
    ]);
  }
});

test("M11 a tool's name stands without the prefix that gum adds", async () => {
  for (const name of ["plug.fli.search", "plug.other.search", "Plug.x"]) {
    expect(await findingsOf(flat(), { "advertised_tools/0/name": name })).toEqual([
      "PLUGIN_MANIFEST_INVALID advertised_tools[0].name",
    ]);
  }
  for (const name of ["plug", "plugs.x", "fli.search"])
    expect(await findingsOf(flat(), { "advertised_tools/0/name": name })).toEqual([]);
});

test("M3 the schema version is an integer in TOML, too", async () => {
  for (const written of ["1.0", "1e0", "+1.0"]) {
    const { findings } = await runAll(manifest("manifest.toml", `manifest_schema_version = ${written}\n`));
    expect(findings.map(({ code, message }) => ({ code, message }))).toEqual([
      {
        code: "PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED",
        message: "manifest_schema_version must be the integer 1, not a floating-point number.",
      },
    ]);
  }
  const { findings } = await runAll(manifest("manifest.toml", "manifest_schema_version = 0x1\n"));
  expect(findings[0]?.code).toBe("PLUGIN_SHAPE_UNSUPPORTED");
});

test("M3 a misspelt schema version is named", async () => {
  const { findings } = await runAll(manifest("manifest.toml", "manifest_schema_verson = 1\n"));
  expect(findings.map(({ code, path, message }) => ({ code, path, message }))).toEqual([
    {
      code: "PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED",
      path: "manifest_schema_verson",
      message:
        'manifest_schema_verson is not a field that gum knows: did you mean "manifest_schema_version"?',
    },
  ]);
});

test("M2 a TOML date does not pass for text", async () => {
  for (const written of ["2024-01-01", "2024-01-01T10:00:00Z", "10:00:00"]) {
    const text = lines("manifest_schema_version = 1", "[plugin]", `version = ${written}`);
    const { findings } = await runAll(manifest("manifest.toml", text));
    expect(findings).toEqual([
      {
        code: "PLUGIN_MANIFEST_INVALID",
        message: "manifest.toml holds a date where gum reads text: write it in quotes.",
        at: { file: "manifest.toml", line: 3, column: 11, text: `version = ${written}` },
      },
    ]);
  }
});

test("M2 a table or key that stands twice is named, and a control character by its number", async () => {
  const cases: [string, string][] = [
    ["[plugin]\nname = 'x'\n[plugin]\n", 'the table "plugin" is there already, and cannot be made anew'],
    ["a = 1\na.b = 2\n", 'the key "a.b" is there already, and cannot be made anew'],
    ["x = 1\n\0\n", "the control character U+0000 is not allowed"],
    ["x = 'a\u0001b'\n", "the control character U+0001 is not allowed"],
  ];
  for (const [text, fault] of cases) {
    const { findings } = await runAll(manifest("manifest.toml", text));
    expect(findings.map(({ message }) => message)).toEqual([`manifest.toml cannot be read: ${fault}.`]);
  }
});

test("M16 a manifest with a plugin table is nested, whatever else it has", async () => {
  const mixed = await outcomeOf(nested(), { plugin_id: "x", "plugin/shape": undefined });
  expect(mixed.document?.dialect).toBe("nested");
  expect(mixed.findings[0]).toMatchObject({
    code: "PLUGIN_SHAPE_UNSUPPORTED",
    path: "plugin.shape",
    hint: "a manifest with a plugin table is nested, and its id is plugin.name: remove plugin_id, or [plugin]",
  });
  const strict = { strict: true };
  expect(await messagesOf(nested(), { plugin_id: "x" }, strict)).toEqual([
    'plugin_id is not a field that gum knows: did you mean "plugin.name"?',
  ]);
  expect((await outcomeOf(flat(), { tools: [] })).document?.dialect).toBe("flat");
});

test("M4 --strict refuses unknown fields of mcp-plugin.json, which otherwise warn", async () => {
  const changes = { foo: 1, "capabilities/tool": ["ping"], "permissions/netwrok": true };
  const paths = ["capabilities.tool", "foo", "permissions.netwrok"];
  const { findings, warnings } = await outcomeOf(esm(), changes);
  expect(findings).toEqual([]);
  expect(warnings.map(({ path }) => path ?? "").toSorted()).toEqual(paths);
  const strict = await findingsOf(esm(), changes, { strict: true });
  expect(strict.toSorted()).toEqual(paths.map((path) => `PLUGIN_MANIFEST_INVALID ${path}`));
  expect(await findingsOf(esm(), { "x-foo": 1, metadata: { any: 1 } }, { strict: true })).toEqual([]);
});

test("M4 one fault is told once: no rule follows from a source or a field that is refused itself", async () => {
  expect(await messagesOf(nested(), { "package/source": "loca" })).toEqual([
    'package.source must be local, archive, git, github-release or pypi, not "loca": did you mean "local"?',
  ]);
  const deferred = await outcomeOf(nested(), { "tools/0/service_root_template": "x" }, { strict: true });
  expect(deferred.findings.map(({ code }) => code)).toEqual(["SERVICE_ROOT_TEMPLATE_DEFERRED"]);
  expect(deferred.warnings).toEqual([]);
});

test("M19 near misses of closed sets get the nearest name", async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ "tools/0/backend_kind": "mcp-plugn" }, "mcp-plugin"],
    [{ "tools/0/interface_kind": "plugin-mpc" }, "plugin-mcp"],
    [{ "tools/0/capabilities": ["idempotnt"] }, "idempotent"],
    [{ "requirements/canary/tool": "flights_serach" }, "flights_search"],
    [
      {
        "requirements/auth_components": [
          { kind: "custmer_id", alias: "a", display_name: "A", setup_hint: "" },
        ],
      },
      "customer_id",
    ],
  ];
  for (const [changes, meant] of cases) {
    const [message = ""] = await messagesOf(nested(), changes);
    expect(message).toEndWith(`: did you mean "${meant}"?`);
  }
});

test("D11 a profile with an unknown field or a value of the wrong kind is refused with its place", async () => {
  const text = lines(
    '[output_profiles."flights.search.v1"]',
    "format = 5",
    'keep_feilds = ["a"]',
    "collapse_arrays = { max_items = -1 }",
  );
  const { findings } = await outcomeOf(nested(), {}, { profiles: [{ file: "profiles/f.toml", text }] });
  const holder = 'output_profiles["flights.search.v1"]';
  expect(findings.map(({ code, path, at }) => [code, path, at?.file, at?.line, at?.column])).toEqual([
    ["PROFILE_INVALID", `${holder}.format`, "profiles/f.toml", 2, 10],
    ["PROFILE_INVALID", `${holder}.keep_feilds`, "profiles/f.toml", 3, 15],
    ["PROFILE_INVALID", `${holder}.collapse_arrays.max_items`, "profiles/f.toml", 4, 33],
  ]);
  expect(findings[1]?.message).toEndWith('did you mean "keep_fields"?');
});

test("D10 every field of an output profile is understood", async () => {
  const text = lines(
    '[output_profiles."flights.search.v1"]',
    'format = "toon"',
    'keep_fields = ["a", "b[].c"]',
    'drop_fields = ["d"]',
    "strip_nulls = false",
    "flatten = true",
    "collapse_arrays = { max_items = 5 }",
    'truncate_strings = { default_chars = 80, fields = ["a"] }',
    'dedupe = { by = "id" }',
    'recovery = "resource_link"',
    'tee_mode = "always"',
    'inherits = "base"',
    'on_empty = "Nothing."',
    "[override_bindings]",
    '"flights.search" = "flights.search.v1"',
    "[[tests]]",
    'expect_format = "toon"',
  );
  const profiles = [{ file: "profiles/f.toml", text }];
  expect(await findingsOf(nested(), {}, { profiles })).toEqual([]);
});
