import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Ajv from "ajv";
import * as v from "valibot";
import { renderSchemas } from "../../src/dev/schemas.ts";
import { modelOf } from "../../src/manifest/models/table.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import { findSurplus } from "../../src/manifest/unknown-fields.ts";
import type { ManifestDocument } from "../../src/model/document.ts";
import { type Folder, readFolder, runAll } from "./run-all.ts";

const golden = join(import.meta.dirname, "../golden/manifests");
const published = join(import.meta.dirname, "../../schemas");

/** Refusals that no schema of one manifest can express: they compare fields, read other files or hidden characters. */
const beyondSchemas = [
  "c13-compound-canary-without-account",
  "c14-canary-tool-absent",
  "c14-canary-tool-not-read",
  "m10-command-env",
  "m10-command-npx",
  "m10-executable-absent",
  "m10-executable-folder",
  "m10-executable-link-outside",
  "m10-executable-nul",
  "m10-executable-versioned-python",
  "m15-env-allow-denied",
  "m15-needs-user-creds-denied",
  "m16-archive-needs-ref-and-checksum",
  "m19-private-kind-needs-schema-only",
  "m20-high-stakes-read",
  "m21-profile-file-broken",
  "m21-profile-missing",
  "m21-raw-without-reason",
  "m22-strip-nulls-uncovered",
  "m22-strip-nulls-undeclared",
  "m23-two-prefixes",
  "m24-descriptor-extra-and-twice",
  "m24-descriptor-missing",
  "m24-secret-in-env-allow",
  "m25-google-token-needs-compound",
  "m27-schema-broken-keyword-and-reference",
  "m27-schema-file-absent",
  "m27-schema-other-dialect",
  "m27-schema-syntax",
  "m27-schema-without-response",
  "m33-owner-nowhere",
  "m38-backend-not-the-shape",
  "m38-variant-id-twice",
  "m40-engine-too-new",
  "m40-other-system",
  "m42-env-literal-denied",
  "t29-text-unsafe",
  "t3-reserved-id",
  "t3-reserved-prefix",
  "w16-handshake-for-mcp",
];

async function schemaNamed(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(published, `${name}.schema.json`), "utf8"));
}

const ajv = new Ajv({ strict: false, validateFormats: false });
const validators = {
  flat: ajv.compile(await schemaNamed("manifest.flat.v1")),
  nested: ajv.compile(await schemaNamed("manifest.nested.v1")),
  either: ajv.compile(await schemaNamed("manifest.v1")),
  esm1: ajv.compile(await schemaNamed("mcp-plugin.v1")),
  esm2: ajv.compile(await schemaNamed("mcp-plugin.v2")),
};

function bySchema({ dialect, value }: ManifestDocument): boolean {
  if (dialect === "esm")
    return (value.manifestVersion === "2" ? validators.esm2 : validators.esm1)(value) === true;
  const own = validators[dialect](value) === true;
  expect(validators.either(value)).toBe(own);
  return own;
}

function byModel(document: ManifestDocument): boolean {
  const model = modelOf(document);
  const { unknown, lists } = findSurplus(model, document.value);
  const surplus = lists.length > 0 || unknown.length > 0;
  return v.is(model, document.value) && !surplus;
}

interface Case {
  readonly name: string;
  readonly document: ManifestDocument;
  readonly refused: boolean;
}

async function readableCases(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const name of readdirSync(golden).toSorted()) {
    const { how }: { how?: Partial<Folder> } = JSON.parse(
      await readFile(join(golden, name, "expected.json"), "utf8"),
    );
    const folder = await readFolder(join(golden, name));
    const { findings, document } = await runAll({ ...folder, ...how, strict: true });
    if (document !== undefined) cases.push({ name, document, refused: findings.length > 0 });
  }
  return cases;
}

const cases = await readableCases();

test("M36 the published schemas are those of the models", async () => {
  const wanted = renderSchemas();
  for (const [path, text] of wanted) expect(await readFile(join(published, path), "utf8")).toBe(text);
  for (const name of ["plugin-catalog.v1", "plugins-lock.v1", "plugin-state.v1"]) {
    expect([...wanted.keys()]).toContain(`${name}.schema.json`);
  }
});

test("M31 the published schemas are of the Draft-07 dialect", async () => {
  for (const name of ["mcp-plugin.v1", "mcp-plugin.v2", "manifest.v1"]) {
    expect((await schemaNamed(name)).$schema).toBe("http://json-schema.org/draft-07/schema#");
  }
});

test("schema and model agree on every golden manifest", () => {
  expect(cases.length).toBeGreaterThan(100);
  const disagreements = cases
    .filter(({ document }) => bySchema(document) !== byModel(document))
    .map(({ name }) => name);
  expect(disagreements).toEqual([]);
});

test("a schema refuses nothing that the checks accept, and misses only what is listed", () => {
  const tooStrict = cases
    .filter(({ document, refused }) => !refused && !bySchema(document))
    .map(({ name }) => name);
  const missed = cases
    .filter(({ document, refused }) => refused && bySchema(document))
    .map(({ name }) => name);
  expect(tooStrict).toEqual([]);
  expect(missed).toEqual(beyondSchemas.toSorted());
});

test("a manifest may name its own schema", async () => {
  const text = '{ "$schema": "../../schemas/manifest.v1.schema.json" }';
  const document = await parseManifest({ name: "manifest.json", bytes: new TextEncoder().encode(text) });
  expect(findSurplus(modelOf(document), document.value).unknown).toEqual([]);
});
