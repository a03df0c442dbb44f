import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { manifestNames } from "../../src/manifest/read.ts";
import { deniedEnv } from "../../src/model/env-denylist.ts";
import { manifest, runAll } from "./run-all.ts";

const root = join(import.meta.dirname, "../..");
const page = await readFile(join(root, "docs/manifest.md"), "utf8");

/** Fenced blocks whose first line names a manifest: ```json manifest.json */
const examples = [...page.matchAll(/^```(?:json|toml) (\S+)\n(.*?)^```$/gms)].map(
  ([, name = "", text = ""]) => ({ name, text }),
);

test("every manifest in the reference passes a strict validation", async () => {
  expect(examples.map(({ name }) => name)).toEqual([
    "manifest.json",
    "manifest.json",
    "manifest.toml",
    "manifest.json",
    "mcp-plugin.json",
    "mcp-plugin.json",
  ]);
  for (const { name: written, text } of examples) {
    const name = manifestNames.find((known) => known === written) ?? "manifest.json";
    const schemas = { "flights.search": new TextEncoder().encode('{"$defs":{"request":{},"response":{}}}') };
    const profiles = [
      { file: "profiles/f.toml", text: '[output_profiles."flights.search.v1"]\nformat = "json"\n' },
    ];
    const { findings, warnings } = await runAll({ ...manifest(name, text), schemas, profiles, strict: true });
    expect({ text, findings, warnings }).toEqual({ text, findings: [], warnings: [] });
  }
});

test("the page on the environment names every denied variable", async () => {
  const environment = await readFile(join(root, "docs/env.md"), "utf8");
  const words: string[] = [...deniedEnv.prefixes, ...deniedEnv.names];
  expect(words.filter((word) => !environment.includes(`\`${word}\``))).toEqual([]);
});

test("the reference names every field of both gum forms", async () => {
  const words: string[] = [];
  for (const schema of ["manifest.flat.v1", "manifest.nested.v1", "mcp-plugin.v2"]) {
    const { properties } = JSON.parse(await readFile(join(root, `schemas/${schema}.schema.json`), "utf8"));
    words.push(...Object.keys(properties));
  }
  // Fields of mcp-plugin.json that gum passes over.
  const unread = ["id", "author", "repository", "keywords", "sbom"];
  expect(words.filter((word) => !page.includes(word) && !unread.includes(word))).toEqual([]);
});
