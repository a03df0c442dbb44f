import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { cliSchemas } from "../../src/cli/schemas.ts";
import { gum } from "./world.ts";

const example = join(import.meta.dir, "../../examples/hello");
const manifest = readFileSync(join(example, "manifest.json"), "utf8");
const executable = readFileSync(join(example, "bin/hello-mcp"), "utf8");

const world = (text: string) => ({
  files: {
    "/home/user/hello/manifest.json": text,
    "/home/user/hello/bin/hello-mcp": executable,
    "/usr/bin/env": "",
    "/usr/bin/python3": "",
  },
  env: { HOME: "/home/user", PATH: "/usr/bin" },
});
const broken = manifest
  .replace('"version": "0.1.0"', '"version": 1')
  .replace('"risk_class": "read"', '"risk_class": "harmless"');

test("M35 validate accepts the folder or its manifest, writes nothing and starts nothing", async () => {
  for (const source of ["hello", "./hello/", "/home/user/hello/manifest.json"]) {
    const { code, out, err, host } = await gum(["plugin", "validate", source, "--json"], world(manifest));
    expect([source, code, err]).toEqual([source, 0, ""]);
    expect(
      v.safeParse(cliSchemas["cli/plugin-validate.v1"] ?? v.never(), JSON.parse(out)).issues,
    ).toBeUndefined();
    expect(JSON.parse(out)).toEqual({
      ok: true,
      error_code: null,
      file: "manifest.json",
      plugin: { id: "hello", version: "0.1.0", shape: "mcp-plugin" },
      findings: [],
      warnings: [],
    });
    expect(host.spawned).toEqual([]);
    expect(Object.keys(host.files.snapshot()).filter((path) => path.startsWith("/home/user/."))).toEqual([]);
  }
  const { code, out } = await gum(["plugin", "validate", "hello"], world(manifest));
  expect([code, out]).toEqual([0, "manifest.json is valid: hello 0.1.0, mcp-plugin.\n"]);
});

test("M35 M41 validate prints every finding of the class, each with its line", async () => {
  const { code, out, err, host } = await gum(["plugin", "validate", "hello"], world(broken));
  expect([code, out]).toEqual([3, ""]);
  expect(err).toMatch(/^gum: error PLUGIN_MANIFEST_INVALID: .*version/);
  expect(err).toContain('\n  5 |   "version": 1,\n');
  expect(err).toMatch(/\ngum: error PLUGIN_MANIFEST_INVALID: .*risk_class/);
  expect(err).toContain('"risk_class": "harmless"');
  expect(err).toEndWith("gum: 2 findings\n");
  expect(host.spawned).toEqual([]);
});

test("M35 with --json the findings are a list, and the exit code is the first one's", async () => {
  const { code, out, err } = await gum(["plugin", "validate", "hello", "--json"], world(broken));
  expect([code, err]).toEqual([3, ""]);
  const answer = JSON.parse(out);
  expect(v.safeParse(cliSchemas["cli/plugin-validate.v1"] ?? v.never(), answer).issues).toBeUndefined();
  expect(answer.ok).toBe(false);
  expect(answer.findings.map(({ code }: { code: string }) => code)).toEqual([
    "PLUGIN_MANIFEST_INVALID",
    "PLUGIN_MANIFEST_INVALID",
  ]);
});

test("M35 a folder that is not there is no finding but an error", async () => {
  const { code, out, err } = await gum(["plugin", "validate", "nowhere"]);
  expect([code, out]).toEqual([3, ""]);
  expect(err).toStartWith("gum: error PLUGIN_FETCH_FAILED: ");
});
