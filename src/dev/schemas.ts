// Writes schemas/ from the models, or with --check fails when a file there is stale.
//   bun src/dev/schemas.ts [--check]
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { cliSchemas } from "../cli/schemas.ts";
import { EsmManifestV1, EsmManifestV2 } from "../manifest/models/esm.ts";
import { FlatManifest } from "../manifest/models/flat.ts";
import { NestedManifest } from "../manifest/models/nested.ts";
import { Catalog, Lock, State } from "../model/registry.ts";
import { PipelineModel } from "../pipeline/model.ts";

/** Every model that is published as `schemas/<name>.schema.json`. */
export const publishedModels: Readonly<Record<string, v.GenericSchema>> = {
  "manifest.flat.v1": FlatManifest,
  "manifest.nested.v1": NestedManifest,
  "mcp-plugin.v1": EsmManifestV1,
  "mcp-plugin.v2": EsmManifestV2,
  "plugin-catalog.v1": Catalog,
  "plugins-lock.v1": Lock,
  "plugin-state.v1": State,
  "pipeline.v1": PipelineModel,
  ...cliSchemas,
};

/** Schemas that are made of others. */
const combined: Readonly<Record<string, () => JsonSchema>> = { "manifest.v1": eitherForm };

const dialect = "http://json-schema.org/draft-07/schema#";

/** The text of every file in schemas/, by its path from there. */
export function renderSchemas(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, model] of Object.entries(publishedModels))
    files.set(`${name}.schema.json`, render(name, toSchema(model)));
  for (const [name, make] of Object.entries(combined)) files.set(`${name}.schema.json`, render(name, make()));
  return files;
}

/** A model as JSON Schema, Draft-07. Closed objects take no fields but their own and x-…, as `validate --strict`. */
export function toSchema(model: v.GenericSchema): JsonSchema {
  return toJsonSchema(model, {
    target: "draft-07",
    typeMode: "input",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type !== "object") return undefined;
      return { ...jsonSchema, patternProperties: { "^x-": {} }, additionalProperties: false };
    },
  });
}

function eitherForm(): JsonSchema {
  const hasPlugin = { required: ["plugin"] };
  return {
    title: "gum plugin manifest, flat or nested",
    oneOf: [
      { allOf: [hasPlugin, { $ref: "#/definitions/nested" }] },
      { allOf: [{ not: hasPlugin }, { $ref: "#/definitions/flat" }] },
    ],
    definitions: { flat: toSchema(FlatManifest), nested: toSchema(NestedManifest) },
  };
}

function render(name: string, schema: JsonSchema): string {
  const { $schema: _, ...rest } = schema;
  return `${JSON.stringify({ $schema: dialect, $id: `urn:gum:${name}`, ...rest }, null, 2)}\n`;
}

async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function main(check: boolean): Promise<void> {
  const root = join(import.meta.dirname, "../../schemas");
  const wanted = new Map([...renderSchemas()].map(([path, text]) => [join(root, path), text]));
  const surplus = (await filesBelow(root)).filter((path) => !wanted.has(path));
  const stale: string[] = [...surplus];
  for (const [path, text] of wanted) {
    const current = existsSync(path) ? await readFile(path, "utf8") : undefined;
    if (current === text) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  if (!check) for (const path of surplus) await rm(path);
  if (check && stale.length > 0) {
    for (const path of stale)
      console.error(`stale: schemas/${path.slice(root.length + 1)}; run \`make generate\``);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.includes("--check"));
