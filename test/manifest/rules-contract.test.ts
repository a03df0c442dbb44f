import { expect, test } from "bun:test";
import { checkBindings } from "../../src/manifest/checks/bindings.ts";
import { checkFields } from "../../src/manifest/checks/fields.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import { manifest } from "./run-all.ts";
import { esm, findingsOf, flat, nested, outcomeOf } from "./samples.ts";

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
