// The steps that only look: each refuses what its rule forbids and gives its proof otherwise.
import { describe, expect, test } from "bun:test";
import type { Plugin } from "../../src/model/plugin.ts";
import { checkAuth } from "../../src/steps/check-auth.ts";
import { checkBindings } from "../../src/steps/check-bindings.ts";
import { checkCredentials } from "../../src/steps/check-credentials.ts";
import { checkText } from "../../src/steps/check-text.ts";
import { denyEnv } from "../../src/steps/deny-env.ts";
import { gateSchemaVersion } from "../../src/steps/gate-schema-version.ts";
import { gateShape } from "../../src/steps/gate-shape.ts";
import { validate } from "../../src/steps/validate.ts";
import { flat, nested } from "../manifest/samples.ts";
import { documentOf, flags, profile, refusalOf, runStep } from "./run-step.ts";

type Json = Record<string, unknown>;
const withFlat = (more: Json) => documentOf({ ...(flat() as Json), ...more });

async function pluginOf(
  value: unknown,
): Promise<{ document: Awaited<ReturnType<typeof documentOf>>; plugin: Plugin }> {
  const document = await documentOf(value);
  const { given } = await runStep(validate, { document, shapeAllowed: true, flags, profile });
  return { document, plugin: given.plugin };
}

describe("gate-schema-version", () => {
  test("M3 version 1 is given as proof", async () => {
    const { given } = await runStep(gateSchemaVersion, { document: await documentOf(flat()) });
    expect(given).toEqual({ schemaVersion: 1 });
  });
  test("M3 another version is refused at its place", async () => {
    const document = await withFlat({ manifest_schema_version: 2 });
    const error = await refusalOf(() => runStep(gateSchemaVersion, { document }));
    expect(error.code).toBe("PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED");
    expect(error.info.at?.line).toBe(2);
  });
});

describe("gate-shape", () => {
  test("M17 a reserved shape is refused", async () => {
    const document = await withFlat({ shape: "grpc-plugin" });
    const error = await refusalOf(() => runStep(gateShape, { document, schemaVersion: 1, profile }));
    expect(error.code).toBe("PLUGIN_SHAPE_UNSUPPORTED");
  });
  test("W26 an ES-module plugin is refused where they are turned off, and passes where they are not", async () => {
    const document = { ...(await documentOf(flat())), dialect: "esm" } as const;
    const off = { ...profile, esmAccepted: false };
    const error = await refusalOf(() => runStep(gateShape, { document, schemaVersion: 1, profile: off }));
    expect([error.code, error.message]).toEqual([
      "PLUGIN_SHAPE_UNSUPPORTED",
      "ES-module plugins are turned off in this profile.",
    ]);
    const { given } = await runStep(gateShape, { document, schemaVersion: 1, profile });
    expect(given).toEqual({ shapeAllowed: true });
  });
  test("M9 mcp-plugin passes", async () => {
    const { given } = await runStep(gateShape, {
      document: await documentOf(flat()),
      schemaVersion: 1,
      profile,
    });
    expect(given).toEqual({ shapeAllowed: true });
  });
});

describe("validate", () => {
  test("M5 all faults of the fields come together", async () => {
    const document = await withFlat({ plugin_id: "Fli!", name: "" });
    const error = await refusalOf(() => runStep(validate, { document, shapeAllowed: true, flags, profile }));
    expect(error.code).toBe("PLUGIN_MANIFEST_INVALID");
    const findings = error.info.details?.findings as { path: string }[];
    expect(findings.map(({ path }) => path)).toEqual(["plugin_id", "name"]);
  });
  test("M4 an unknown field is a warning, and an error when strict", async () => {
    const document = await withFlat({ licence: "MIT" });
    const { warnings } = await runStep(validate, { document, shapeAllowed: true, flags, profile });
    expect(warnings.map(({ path }) => path)).toEqual(["licence"]);
    const strict = { ...flags, strict: true };
    const error = await refusalOf(() =>
      runStep(validate, { document, shapeAllowed: true, flags: strict, profile }),
    );
    expect(error.code).toBe("PLUGIN_MANIFEST_INVALID");
  });
  test("R16 the plugin is the one model, whatever the form", async () => {
    const { plugin } = await pluginOf(nested());
    expect([plugin.id, plugin.prefix, plugin.shape, plugin.tools[0]?.op_id]).toEqual([
      "google-flights",
      "flights",
      "mcp-plugin",
      "flights.search",
    ]);
  });
});

describe("check-text", () => {
  test("T29 a bidirectional override in a description is refused", async () => {
    const tools = [{ name: "search", description: "safe\u202Eefas", risk_class: "read" }];
    const input = await pluginOf({ ...(flat() as Json), advertised_tools: tools });
    const error = await refusalOf(() => runStep(checkText, input));
    expect(error.code).toBe("PLUGIN_TEXT_UNSAFE");
  });
  test("T29 plain text passes", async () => {
    expect((await runStep(checkText, await pluginOf(flat()))).given).toEqual({ safeText: true });
  });
});

describe("check-bindings", () => {
  test("M19 an unknown backend_kind is refused", async () => {
    const value = nested() as { tools: Json[] };
    const input = await pluginOf({ ...value, tools: [{ ...value.tools[0], backend_kind: "magic" }] });
    expect((await refusalOf(() => runStep(checkBindings, input))).code).toBe("UNKNOWN_BACKEND_KIND");
  });
  test("M18 complete selectors pass", async () => {
    expect((await runStep(checkBindings, await pluginOf(nested()))).given).toEqual({ bindingsChecked: true });
  });
});

describe("deny-env", () => {
  const asking = (name: string) => ({
    ...(flat() as Json),
    declared_capabilities: { network: false, fs_write_dir: "", env_allow: [name] },
  });
  test("T13 GUM_PROFILE is refused with the canonical sentence", async () => {
    const error = await refusalOf(async () => runStep(denyEnv, await pluginOf(asking("GUM_PROFILE"))));
    expect(error.code).toBe("PLUGIN_ENV_PROHIBITED");
    expect(error.message).toBe("env_allow entry 'GUM_PROFILE' on plugin 'fli' is a prohibited env var name.");
  });
  test("T13 an ordinary name is given on", async () => {
    expect((await runStep(denyEnv, await pluginOf(asking("FLI_AGENT")))).given).toEqual({
      cleanEnv: ["FLI_AGENT"],
    });
  });
});

describe("check-credentials and check-auth", () => {
  test("M24 a needed credential without a descriptor is refused", async () => {
    const value = nested() as { requirements: Json };
    const requirements = { ...value.requirements, needs_user_creds: ["FLIGHTS_SESSION"] };
    const input = await pluginOf({ ...value, requirements });
    const error = await refusalOf(() => runStep(checkCredentials, input));
    expect(error.code).toBe("PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID");
  });
  test("M24 no credentials pass", async () => {
    expect((await runStep(checkCredentials, await pluginOf(nested()))).given).toEqual({
      credentialsChecked: true,
    });
  });
  test("M25 an unknown auth component is refused", async () => {
    const value = nested() as { requirements: Json };
    const component = { kind: "password", alias: "p", display_name: "P", setup_hint: "h" };
    const requirements = { ...value.requirements, auth_strategy: "compound", auth_components: [component] };
    const input = await pluginOf({ ...value, requirements });
    expect((await refusalOf(() => runStep(checkAuth, input))).code).toBe("AUTH_COMPONENT_UNKNOWN");
  });
  test("M25 no auth passes", async () => {
    expect((await runStep(checkAuth, await pluginOf(nested()))).given).toEqual({ authChecked: true });
  });
});
