// The steps that read the plugin's folder.
import { describe, expect, test } from "bun:test";
import { checkExecutable } from "../../src/steps/check-executable.ts";
import { checkProfiles } from "../../src/steps/check-profiles.ts";
import { parseTomlOrJson } from "../../src/steps/parse-toml-or-json.ts";
import { resolveSchemas } from "../../src/steps/resolve-schemas.ts";
import { validate } from "../../src/steps/validate.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { flat, nested } from "../manifest/samples.ts";
import { documentOf, flags, profile, refusalOf, runStep } from "./run-step.ts";

const folder = "/p";

async function inputOf(value: unknown) {
  const document = await documentOf(value);
  const { given } = await runStep(validate, { document, shapeAllowed: true, flags, profile });
  return { document, plugin: given.plugin, folder };
}

describe("parse-toml-or-json", () => {
  const parse = (files: Record<string, string>) =>
    runStep(parseTomlOrJson, { folder }, { host: createFakeHost({ files }) });
  test("M1 the one manifest is found and parsed", async () => {
    const { given, notes } = await parse({ "/p/manifest.json": '{"plugin_id":"fli"}' });
    expect(given.document.value).toEqual({ plugin_id: "fli" });
    expect(notes).toEqual(["manifest.json, 19 bytes"]);
  });
  test("M1 none and two are refused", async () => {
    expect((await refusalOf(() => parse({ "/p/README.md": "" }))).code).toBe("PLUGIN_MANIFEST_NOT_FOUND");
    const two = await refusalOf(() => parse({ "/p/manifest.json": "{}", "/p/manifest.toml": "" }));
    expect(two.code).toBe("PLUGIN_MANIFEST_INVALID");
    expect(two.message).toContain("manifest.json, manifest.toml");
  });
  test("a folder that is not there is a source that cannot be read", async () => {
    expect((await refusalOf(() => parse({}))).code).toBe("PLUGIN_FETCH_FAILED");
  });
  test("M2 a manifest over 1 MiB is refused", async () => {
    const error = await refusalOf(() => parse({ "/p/manifest.json": " ".repeat(1024 * 1024 + 1) }));
    expect(error.code).toBe("PLUGIN_MANIFEST_INVALID");
  });
});

describe("resolve-schemas", () => {
  const bundle = JSON.stringify({ $defs: { request: { type: "object" }, response: { type: "object" } } });
  test("M27 a bundle gives its request and its response", async () => {
    const host = createFakeHost({ files: { "/p/schemas/flights.search.json": bundle } });
    const { given } = await runStep(resolveSchemas, await inputOf(nested()), { host });
    expect(given.schemas.map(({ ref }) => ref)).toEqual([
      "flights.search.request",
      "flights.search.response",
    ]);
  });
  test("M27 an absent bundle is refused, and so is one behind a link", async () => {
    const link = { "/p/schemas/flights.search.json": { link: "/etc/x.json" }, "/etc/x.json": bundle };
    for (const files of [{}, link]) {
      const error = await refusalOf(async () =>
        runStep(resolveSchemas, await inputOf(nested()), { host: createFakeHost({ files }) }),
      );
      expect(error.code).toBe("PLUGIN_SCHEMA_REF_INVALID");
    }
  });
});

describe("check-profiles", () => {
  test("M21 a tool of Form B without an output profile is refused", async () => {
    const value = nested() as { tools: Record<string, unknown>[] };
    const { output_profile, ...tool } = value.tools[0] ?? {};
    expect(output_profile).toBeDefined();
    const input = { ...(await inputOf({ ...value, tools: [tool] })), schemas: [] };
    expect((await refusalOf(() => runStep(checkProfiles, input))).code).toBe("PROFILE_REQUIRED");
  });
  test("M21 Form A needs none", async () => {
    const input = { ...(await inputOf(flat())), schemas: [] };
    expect((await runStep(checkProfiles, input)).given).toEqual({ profilesChecked: true });
  });
});

describe("check-executable", () => {
  const check = async (files: Record<string, string | { link: string }>) =>
    runStep(checkExecutable, await inputOf(flat()), {
      host: createFakeHost({ files: { "/p/": "", ...files } }),
    });
  test("M10 a file inside the folder passes, also behind a link inside it", async () => {
    expect((await check({ "/p/bin/fli-mcp": "x" })).given).toEqual({ executableFound: "file" });
    expect((await check({ "/p/bin/fli-mcp": { link: "real" }, "/p/bin/real": "x" })).given).toEqual({
      executableFound: "file",
    });
  });
  test("M10 absent and a folder are invalid, a link outside is untrusted", async () => {
    expect((await refusalOf(() => check({}))).code).toBe("PLUGIN_MANIFEST_INVALID");
    expect((await refusalOf(() => check({ "/p/bin/fli-mcp/x": "" }))).code).toBe("PLUGIN_MANIFEST_INVALID");
    const outside = await refusalOf(() => check({ "/p/bin/fli-mcp": { link: "/q/fli" }, "/q/fli": "x" }));
    expect(outside.code).toBe("PLUGIN_EXECUTABLE_UNTRUSTED");
  });
});
