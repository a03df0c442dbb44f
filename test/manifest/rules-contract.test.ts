import { expect, test } from "bun:test";
import { checkBindings } from "../../src/manifest/checks/bindings.ts";
import { checkFields } from "../../src/manifest/checks/fields.ts";
import { checkLicense } from "../../src/manifest/checks/license.ts";
import { checkSchemas } from "../../src/manifest/checks/schemas.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import { manifest } from "./run-all.ts";
import { esm, findingsOf, flat, nested, outcomeOf } from "./samples.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const descriptor = {
  alias: "session",
  env: "FLIGHTS_SESSION",
  kind: "session",
  display_name: "Session",
  setup_hint: "From the account page.",
};
const component = { kind: "customer_id", alias: "customer", display_name: "Customer", setup_hint: "" };

test("M15 T13 a denied name in env_allow or needs_user_creds is refused in exactly these words", async () => {
  const denied = [
    ..."GUM_PROFILE GUM_ _GUM _GUMX GOOGLE_APPLICATION_CREDENTIALS OPENAI_API_KEY ANTHROPIC_API_KEY".split(
      " ",
    ),
    ..."LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BUN_OPTIONS BUN_BE_BUN NODE_OPTIONS NODE_PATH".split(
      " ",
    ),
    ..."PYTHONPATH PYTHONHOME PYTHONSTARTUP PERL5LIB PERL5OPT RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS".split(" "),
    ..."BASH_ENV ENV GIT_SSH_COMMAND".split(" "),
  ];
  for (const name of denied) {
    const allowed = await outcomeOf(flat(), { "declared_capabilities/env_allow": [name] });
    expect(allowed.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `PLUGIN_ENV_PROHIBITED: env_allow entry '${name}' on plugin 'fli' is a prohibited env var name.`,
    ]);
    const needed = await outcomeOf(nested(), { "requirements/needs_user_creds": [name] });
    expect(needed.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `PLUGIN_ENV_PROHIBITED: needs_user_creds entry '${name}' on plugin 'google-flights' is a prohibited env var name.`,
    ]);
  }
  for (const name of ["gum_profile", "ld_preload", "env", "MY_GUM_X", "NODE_OPTIONS_X", "PYTHONPATHS"]) {
    expect(await findingsOf(flat(), { "declared_capabilities/env_allow": [name] })).toEqual([]);
  }
});

test("M16 the nested form needs its sections and fields", async () => {
  const needed = [
    ..."name version description license tos_status risk command"
      .split(" ")
      .map((field) => `plugin/${field}`),
    ...["package/source", "package/ref", "package/checksum", "requirements/canary", "package", "tools"],
  ];
  for (const path of needed) {
    expect(await findingsOf(nested(), { [path]: undefined })).toEqual([
      `PLUGIN_MANIFEST_INVALID ${path.replace("/", ".")}`,
    ]);
  }
  expect(await findingsOf(nested(), { tools: [] })).toEqual(["PLUGIN_MANIFEST_INVALID tools"]);
  const remote = { source: "pypi", ref: "fli==1.0", checksum: `sha256:${"a".repeat(64)}` };
  expect(await findingsOf(nested(), { package: remote })).toEqual([]);
  expect(await findingsOf(nested(), { package: { ...remote, checksum: "md5:1" } })).toEqual([
    "PLUGIN_MANIFEST_INVALID package.checksum",
  ]);
});

test("M17 a reserved shape is refused before anything else is looked at", async () => {
  const broken = { "plugin/name": "", "tools/0/tool_name": undefined, "tools/0/schema_ref": "../x" };
  for (const shape of ["grpc-plugin", "grpc-subprocess"]) {
    expect(await findingsOf(nested(), { ...broken, "plugin/shape": shape })).toEqual([
      "PLUGIN_SHAPE_UNSUPPORTED plugin.shape",
    ]);
  }
  expect(await findingsOf(nested(), { ...broken, "tools/0/backend_kind": "grpc-plugin" })).toEqual([
    "PLUGIN_SHAPE_UNSUPPORTED tools[0].backend_kind",
  ]);
  expect(await findingsOf(flat(), { shape: "grpc-plugin", plugin_id: 5 })).toEqual([
    "PLUGIN_SHAPE_UNSUPPORTED shape",
  ]);
});

test("M18 a tool without its selector is refused", async () => {
  const second = { ...Object(nested()).tools[0], variant_id: "flights.book.v1" };
  for (const name of [undefined, "", "two words", 4, "-x"]) {
    const tool = { ...second, tool_name: name };
    expect(await findingsOf(nested(), { "tools/1": tool })).toEqual([
      "PLUGIN_BINDING_INVALID tools[1].tool_name",
    ]);
  }
});

test("M18 a bundled grpc fixture needs rpc_service and rpc_method", async () => {
  const fixture: unknown = structuredClone(nested());
  const [tool] = Object(fixture).tools;
  Object.assign(tool, { backend_kind: "grpc-plugin", interface_kind: "plugin-grpc", rpc_service: "Flights" });
  const document = await parseManifest(manifest("manifest.json", JSON.stringify(fixture)).manifest);
  const { plugin } = checkFields(document, { dev: false, strict: true });
  if (plugin === undefined) throw new Error("the fixture has findings");
  expect(checkBindings(plugin, document).map(({ code, path }) => `${code} ${path}`)).toEqual([
    "PLUGIN_BINDING_INVALID tools[0].rpc_method",
  ]);
});

test("M19 kinds and capability atoms are closed sets, private ones only for schema-only tools", async () => {
  const cases: [Record<string, unknown>, string[]][] = [
    [{ "tools/0/backend_kind": "grpc" }, ["UNKNOWN_BACKEND_KIND tools[0].backend_kind"]],
    [{ "tools/0/interface_kind": "mcp" }, ["UNKNOWN_INTERFACE_KIND tools[0].interface_kind"]],
    [{ "tools/0/capabilities": ["fast"] }, ["UNKNOWN_CAPABILITY tools[0].capabilities[0]"]],
    [{ "tools/0/capabilities": ["x-fast"] }, ["UNKNOWN_CAPABILITY tools[0].capabilities[0]"]],
    [{ "tools/0/interface_kind": "x-bus" }, ["UNKNOWN_INTERFACE_KIND tools[0].interface_kind"]],
    [{ "tools/0/capabilities": ["idempotent", "paginated", "streaming", "long_running"] }, []],
    [
      {
        "tools/0/execution_support": "schema_only",
        "tools/0/backend_kind": "x-acme",
        "tools/0/interface_kind": "x-bus",
        "tools/0/capabilities": ["x-fast"],
      },
      [],
    ],
  ];
  for (const [changes, expected] of cases) expect(await findingsOf(nested(), changes)).toEqual(expected);
});

test("M20 high_stakes_write is only for write tools", async () => {
  const policy = "advertised_tools/0/confirmation_policy";
  const path = "PLUGIN_MANIFEST_INVALID advertised_tools[0].confirmation_policy";
  expect(await findingsOf(flat(), { [policy]: "high_stakes_write" })).toEqual([path]);
  expect(await findingsOf(flat(), { [policy]: "always" })).toEqual([path]);
  const write = { [policy]: "high_stakes_write", "advertised_tools/0/risk_class": "write" };
  const { plugin } = await outcomeOf(flat(), write);
  expect(plugin?.tools[0]?.confirmation_policy).toBe("high_stakes_write");
  expect((await outcomeOf(flat())).plugin?.tools[0]?.confirmation_policy).toBe("none");
});

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

test("M23 all ops share one prefix, which the plugin claims", async () => {
  const second = { ...Object(nested()).tools[0], variant_id: "v2", op_id: "hotels.search" };
  expect(await findingsOf(nested(), { "tools/1": second })).toEqual([
    "PLUGIN_MANIFEST_INVALID tools[1].op_id",
  ]);
  expect(
    (await outcomeOf(nested(), { "tools/1": { ...second, op_id: "flights.other" } })).plugin?.prefix,
  ).toBe("flights");
  expect((await outcomeOf(flat())).plugin?.prefix).toBe("fli");
});

test("M24 every credential has exactly one descriptor", async () => {
  const check = (needs: string[], descriptors: unknown[]) =>
    findingsOf(nested(), {
      "requirements/needs_user_creds": needs,
      "requirements/credential_descriptors": descriptors,
    });
  const bad = (path: string) => [`PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID requirements.${path}`];
  expect(await check(["FLIGHTS_SESSION"], [descriptor])).toEqual([]);
  expect(await check(["FLIGHTS_SESSION"], [])).toEqual(bad("needs_user_creds[0]"));
  expect(await check([], [descriptor])).toEqual(bad("credential_descriptors[0].env"));
  expect(await check(["FLIGHTS_SESSION"], [descriptor, { ...descriptor, alias: "b" }])).toEqual(
    bad("credential_descriptors[1].env"),
  );
  expect(await check(["FLIGHTS_SESSION", "B"], [descriptor, { ...descriptor, env: "B" }])).toEqual(
    bad("credential_descriptors[1].alias"),
  );
  expect(await check(["FLIGHTS_SESSION", "FLIGHTS_SESSION"], [descriptor])).toEqual(
    bad("needs_user_creds[1]"),
  );
  const faults = { alias: "A", kind: "pin", display_name: "", setup_hint: "h".repeat(161), env: undefined };
  for (const [field, value] of Object.entries(faults)) {
    const findings = await check(["FLIGHTS_SESSION"], [{ ...descriptor, [field]: value }]);
    expect(findings).toContain(
      `PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID requirements.credential_descriptors[0].${field}`,
    );
  }
});

test("M24 secrets in env_allow need a descriptor too", async () => {
  const names = [
    "A_TOKEN",
    "A_SECRET",
    "PASSWORD",
    "X_API_KEY",
    "MY_COOKIE",
    "AWS_SECRET_ACCESS_KEY",
    "AZURE_CLIENT_SECRET",
  ];
  for (const name of names) {
    const changes = { "declared_capabilities/env_allow": [name] };
    expect(await findingsOf(flat(), changes)).toEqual([
      "PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID declared_capabilities.env_allow[0]",
    ]);
    const described = { "requirements/credential_descriptors": [{ ...descriptor, env: name }] };
    expect(await findingsOf(flat(), { ...changes, ...described })).toEqual([]);
  }
});

test("M25 auth strategies and component kinds are known", async () => {
  const strategies = "gum_oauth byo_oauth adc service_account api_key compound plugin_managed none".split(
    " ",
  );
  for (const strategy of strategies) {
    expect(await findingsOf(nested(), { "requirements/auth_strategy": strategy })).toEqual([]);
  }
  expect(await findingsOf(nested(), { "requirements/auth_strategy": "oauth" })).toEqual([
    "PLUGIN_MANIFEST_INVALID requirements.auth_strategy",
  ]);
  const kinds =
    "developer_token oauth_client_id oauth_client_secret refresh_token api_key session customer_id login_customer_id billing_account access_level allowlist account_permission x-own";
  for (const kind of kinds.split(" ")) {
    expect(await findingsOf(nested(), { "requirements/auth_components": [{ ...component, kind }] })).toEqual(
      [],
    );
  }
  expect(
    await findingsOf(nested(), { "requirements/auth_components": [{ ...component, kind: "pin" }] }),
  ).toEqual(["AUTH_COMPONENT_UNKNOWN requirements.auth_components[0].kind"]);
  expect(
    await findingsOf(nested(), { "requirements/auth_components": [{ ...component, alias: undefined }] }),
  ).toEqual(["PLUGIN_MANIFEST_INVALID requirements.auth_components[0].alias"]);
  const google = { "requirements/auth_components": [{ ...component, kind: "google_access_token" }] };
  expect(await findingsOf(nested(), google)).toEqual([
    "PLUGIN_MANIFEST_INVALID requirements.auth_components[0].kind",
  ]);
  expect(await findingsOf(nested(), { ...google, "requirements/auth_strategy": "compound" })).toEqual([]);
});

test("C13 a compound plugin's canary uses every declared account", async () => {
  const changes = { "requirements/auth_strategy": "compound", "requirements/auth_components": [component] };
  expect(await findingsOf(nested(), changes)).toEqual([
    "PLUGIN_MANIFEST_INVALID requirements.auth_components[0]",
  ]);
  const used = { ...changes, "requirements/canary/args": { deep: [{ id: "c-{component:customer}" }] } };
  expect(await findingsOf(nested(), used)).toEqual([]);
  const lost = { "requirements/canary/args": { id: "{component:nobody}" } };
  expect(await findingsOf(nested(), lost)).toEqual(["PLUGIN_MANIFEST_INVALID requirements.canary.args"]);
});

test("C1, C14 a canary names a read tool of the plugin, and a flat manifest may have none", async () => {
  expect((await outcomeOf(flat())).plugin?.canary).toBeNull();
  const path = "PLUGIN_MANIFEST_INVALID requirements.canary.tool";
  expect(await findingsOf(flat(), { "requirements/canary": { tool: "other" } })).toEqual([path]);
  const write = { "requirements/canary": { tool: "search" }, "advertised_tools/0/risk_class": "write" };
  expect(await findingsOf(flat(), write)).toEqual([path]);
  const { plugin } = await outcomeOf(flat(), {
    "requirements/canary": { tool: "search", expect: { is_error: true } },
  });
  expect(plugin?.canary).toEqual({ tool: "search", args: {}, expect: { is_error: true }, timeout_ms: null });
});

test("M26 service_root_template is refused wherever it stands", async () => {
  for (const path of ["service_root_template", "requirements/canary/args/service_root_template"]) {
    expect(await findingsOf(nested(), { [path]: "x" })).toEqual([
      `SERVICE_ROOT_TEMPLATE_DEFERRED ${path.replaceAll("/", ".")}`,
    ]);
  }
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

test("M38 a tool's backend is the plugin's shape, with the interface that belongs to it", async () => {
  const binding = (path: string) => `PLUGIN_BINDING_INVALID tools[0].${path}`;
  expect(await findingsOf(nested(), { "plugin/shape": "mcp-subprocess" })).toEqual([]);
  expect(await findingsOf(nested(), { "plugin/shape": "jsonl-plugin" })).toEqual([binding("backend_kind")]);
  expect(await findingsOf(nested(), { "tools/0/interface_kind": "plugin-jsonl" })).toEqual([
    binding("interface_kind"),
  ]);
  expect(await findingsOf(nested(), { "tools/0/backend_kind": "esm-plugin" })).toEqual([
    binding("backend_kind"),
    binding("interface_kind"),
  ]);
  for (const field of [
    "op_id",
    "variant_id",
    "risk_class",
    "capabilities",
    "scopes",
    "backend_kind",
    "interface_kind",
  ]) {
    expect(await findingsOf(nested(), { [`tools/0/${field}`]: undefined })).toEqual([
      `PLUGIN_MANIFEST_INVALID tools[0].${field}`,
    ]);
  }
  const words = await outcomeOf(nested(), { "plugin/command": " bin/flights-mcp  --stdio " });
  expect(words.plugin?.command).toEqual(["bin/flights-mcp", "--stdio"]);
  expect(await findingsOf(nested(), { "plugin/command": "bin/x 'a b'" })).toEqual([
    "PLUGIN_MANIFEST_INVALID plugin.command",
  ]);
});

test("T3 reserved prefixes and ids are refused for third parties", async () => {
  const names =
    "gmail drive calendar docs sheets slides tasks people contacts chat meet forms classroom youtube photos maps ads admin vault keep searchconsole analytics bigquery storage pubsub spanner firestore genai google googleapis gum plug x";
  for (const name of names.split(" ")) {
    expect(await findingsOf(flat(), { plugin_id: name })).toEqual(["PLUGIN_NAMESPACE_CONFLICT plugin_id"]);
    expect(await findingsOf(nested(), { "tools/0/op_id": `${name}.search` })).toEqual([
      "PLUGIN_NAMESPACE_CONFLICT tools[0].op_id",
    ]);
  }
  expect(await findingsOf(nested(), { "plugin/name": "gum" })).toEqual([
    "PLUGIN_NAMESPACE_CONFLICT plugin.name",
  ]);
  expect(await findingsOf(esm(), { name: "gum" })).toEqual(["PLUGIN_NAMESPACE_CONFLICT name"]);
  expect(await findingsOf(flat(), { plugin_id: "gmailer" })).toEqual([]);
});

test("T29 hidden and control characters in names, descriptions and keys are refused", async () => {
  for (const character of [
    "\u001b",
    "\u0000",
    "\u007f",
    "\u009b",
    "\u202e",
    "\u2066",
    "\u{e0041}",
    "\u200b",
    "\ud800",
  ]) {
    expect(await findingsOf(flat(), { name: `a${character}b` })).toEqual(["PLUGIN_TEXT_UNSAFE name"]);
    expect(await findingsOf(flat(), { [`x-${character}`]: 1 })).toEqual(["PLUGIN_TEXT_UNSAFE"]);
  }
  for (const text of ["a\tb\nc\r\nd", "naïve", "日本語", "👩‍👩‍👧 ❤️", "שלום\u200f"]) {
    expect(await findingsOf(flat(), { name: text, "advertised_tools/0/description": text })).toEqual([]);
  }
});

test("T35 a manifest may ask for paths and shared memory, which grants nothing", async () => {
  const { plugin } = await outcomeOf(flat(), {
    requests: { read: ["~/data"], write: ["/srv/x"], shm: true },
  });
  expect(plugin?.requests).toEqual({ read: ["~/data"], write: ["/srv/x"], shm: true });
  expect((await outcomeOf(flat())).plugin?.requests).toEqual({ read: [], write: [], shm: false });
  expect(await findingsOf(flat(), { "requests/read": ["data"] })).toEqual([
    "PLUGIN_MANIFEST_INVALID requests.read[0]",
  ]);
});
