import { expect, test } from "bun:test";
import { checkFields } from "../../src/manifest/checks/fields.ts";
import { checkLicense } from "../../src/manifest/checks/license.ts";
import { checkSchemas } from "../../src/manifest/checks/schemas.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import { manifest } from "./run-all.ts";
import { findingsOf, flat, nested, outcomeOf } from "./samples.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test("M21 a nested tool has an output profile or a reason for none", async () => {
  const raw = { "tools/0/output_profile": undefined, "tools/0/raw_result_allowed": true };
  expect(await findingsOf(nested(), { "tools/0/output_profile": undefined })).toEqual([
    "PROFILE_REQUIRED tools[0]",
  ]);
  expect(await findingsOf(nested(), raw)).toEqual(["PROFILE_REQUIRED tools[0]"]);
  expect(await findingsOf(nested(), { ...raw, "tools/0/token_budget_exception": "tiny answers" })).toEqual(
    [],
  );
  expect(await findingsOf(flat())).toEqual([]);
  const { warnings } = await outcomeOf(nested(), { "tools/0/output_profile": "elsewhere" });
  expect(warnings.map(({ path }) => path)).toEqual(["tools[0].output_profile"]);
});

test("M22 null_elision_safe_fields cover what strip_nulls can remove", async () => {
  const text = (rest: string) =>
    `[output_profiles.base]\nstrip_nulls = true\n[output_profiles."flights.search.v1"]\n${rest}`;
  const schemas = {
    "flights.search": bytes({
      $defs: {
        request: {},
        response: {
          type: "object",
          properties: {
            id: { type: "string" },
            note: { type: ["string", "null"] },
            legs: { type: "array", items: { $ref: "#/$defs/leg" } },
          },
        },
        leg: { type: "object", properties: { gate: { anyOf: [{ type: "string" }, { type: "null" }] } } },
      },
    }),
  };
  const check = async (profile: string, safe: readonly string[] | undefined) => {
    const profiles = [{ file: "profiles/a.toml", text: text(profile) }];
    const { findings } = await outcomeOf(
      nested(),
      { "tools/0/null_elision_safe_fields": safe },
      { schemas, profiles },
    );
    return findings.map(({ code, message }) => `${code} ${/cover: (.*)\.$/.exec(message)?.[1]}`);
  };
  const unsafe = (paths: string) => [`PROFILE_STRIP_NULLS_UNSAFE ${paths}`];
  expect(await check("strip_nulls = true", undefined)).toEqual(unsafe("legs[].gate, note"));
  expect(await check('inherits = "base"', ["note"])).toEqual(unsafe("legs[].gate"));
  expect(await check("strip_nulls = true", ["note", "legs[].gate"])).toEqual([]);
  expect(await check("strip_nulls = true", ["note", "legs"])).toEqual([]);
  expect(await check("strip_nulls = true", ["*"])).toEqual([]);
  expect(await check('strip_nulls = true\nkeep_fields = ["id", "legs"]', undefined)).toEqual(
    unsafe("legs[].gate"),
  );
  expect(await check('strip_nulls = true\ndrop_fields = ["legs", "note"]', undefined)).toEqual([]);
  expect(await check("strip_nulls = false", undefined)).toEqual([]);
});

test("M27 a schema_ref is checked before a path is built from it", async () => {
  const refs = [
    "",
    "A",
    "..",
    "a..b",
    "a/b",
    "a\\b",
    "a%2fb",
    "%2e%2e",
    ".a",
    "-a",
    "a\nb",
    "a".repeat(129),
    5,
    undefined,
  ];
  for (const ref of refs) {
    const asked: string[] = [];
    const text = JSON.stringify({
      ...Object(nested()),
      tools: [{ ...Object(nested()).tools[0], schema_ref: ref }],
    });
    const document = await parseManifest(manifest("manifest.json", text).manifest);
    const { plugin } = checkFields(document, { dev: false, strict: true });
    if (plugin === undefined) throw new Error("the fields have findings");
    const { findings } = await checkSchemas(plugin, document, async (name) => {
      asked.push(name);
      return undefined;
    });
    expect({ ref, asked, codes: findings.map(({ code }) => code) }).toEqual({
      ref,
      asked: [],
      codes: ["PLUGIN_SCHEMA_REF_INVALID"],
    });
  }
});

test("M27 a schema bundle is a 2020-12 document with request and response", async () => {
  const good = { request: { type: "object" }, response: {} };
  const bundles: [unknown, number][] = [
    [{ $defs: good }, 0],
    [{ $schema: "https://json-schema.org/draft/2020-12/schema", $defs: good }, 0],
    [{ $schema: "http://json-schema.org/draft-07/schema#", $defs: good }, 1],
    [{ $defs: { request: {} } }, 1],
    [{ $defs: { request: true, response: [] } }, 3],
    [[], 1],
    [{ $defs: { ...good, request: { type: "text" } } }, 1],
    [{ $defs: { ...good, request: { properties: { a: { pattern: "(" } } } } }, 1],
    [{ $defs: { ...good, request: { items: [{}] } } }, 1],
    [{ $defs: { ...good, request: { $ref: "#/$defs/nowhere" } } }, 1],
    [{ $defs: { ...good, request: { enum: [{ $ref: "#/$defs/nowhere" }] } } }, 0],
  ];
  for (const [bundle, count] of bundles) {
    const findings = await findingsOf(nested(), {}, { schemas: { "flights.search": bytes(bundle) } });
    expect(findings).toEqual(Array(count).fill("PLUGIN_SCHEMA_REF_INVALID tools[0].schema_ref"));
  }
});

test("M28 request and response are kept as documents of their own in JCS form with their SHA-256", async () => {
  const document = await parseManifest(manifest("manifest.json", JSON.stringify(nested())).manifest);
  const { plugin } = checkFields(document, { dev: false, strict: true });
  if (plugin === undefined) throw new Error("the sample has findings");
  const bundle = {
    $defs: {
      response: { type: "object", properties: { b: { $ref: "#/$defs/money" } } },
      request: { type: "object", properties: { a: { type: "string" } } },
      money: { type: "number" },
      unused: { type: "null" },
    },
  };
  const { schemas } = await checkSchemas(plugin, document, async () => bytes(bundle));
  expect(schemas).toEqual([
    {
      ref: "flights.search.request",
      sha256: "2c4b977e42c642a56d6b384652a69677a02b2c805de633a4f044d8fe7c41901d",
      text: '{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"a":{"type":"string"}},"type":"object"}',
    },
    {
      ref: "flights.search.response",
      sha256: "c2ef5eeec33bdbefa2176cb7ce63f2789deeda197bebe12795543f5054be245f",
      text: '{"$defs":{"money":{"type":"number"},"response":{"properties":{"b":{"$ref":"#/$defs/money"}},"type":"object"}},"$ref":"#/$defs/response","$schema":"https://json-schema.org/draft/2020-12/schema"}',
    },
  ]);
});

test("M37 what comes from elsewhere needs a LICENSE file", () => {
  for (const from of ["archive", "url", "git"] as const) {
    expect(checkLicense(["manifest.json", "README.md"], from).map(({ code }) => code)).toEqual([
      "PLUGIN_MANIFEST_INVALID",
    ]);
    for (const name of ["LICENSE", "LICENSE.md", "license.txt"])
      expect(checkLicense([name], from)).toEqual([]);
  }
  expect(checkLicense(["manifest.json"], "folder")).toEqual([]);
});
