import type { Finding, Place } from "../../base/errors.ts";
import { type Read, readJson } from "../../base/json-reader.ts";
import { placeIn } from "../../base/place.ts";
import { ReadFault } from "../../base/read-fault.ts";
import { isRecord } from "../../base/record.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import type { ResolvedSchema } from "../../model/schema-bundle.ts";
import { type Table, tableOf } from "../access.ts";
import { lastMark, renderPath } from "../document.ts";
import { show } from "../models/parts.ts";
import { decodeUtf8, maxManifestBytes } from "../read.ts";
import { sortFindings } from "../report.ts";
import { modelFindings } from "../review.ts";
import { deriveSchema, lostReferences, schemaDialect } from "../schema-bundle.ts";
import { type SchemaFault, schemaFaults } from "../schema-rules.ts";

export interface SchemaCheck {
  readonly findings: Finding[];
  /** Request and response of every schema_ref, as they are stored; empty when there are findings. */
  readonly schemas: ResolvedSchema[];
}

/** The bytes of `schemas/<ref>.json` in the artifact, undefined when it is not a file there. */
export type ReadSchema = (ref: string) => Promise<Uint8Array | undefined>;

const code = "PLUGIN_SCHEMA_REF_INVALID";

/** Every schema_ref leads to a usable bundle; no path is built from a ref that breaks the rules (M27, M28). */
export async function checkSchemas(
  plugin: Plugin,
  document: ManifestDocument,
  readSchema: ReadSchema,
): Promise<SchemaCheck> {
  const findings = modelFindings(document, "schemas");
  if (findings.length > 0) return { findings, schemas: [] };
  const schemas: ResolvedSchema[] = [];
  const seen = new Set<string>();
  for (const [index, { schema_ref: ref }] of plugin.tools.entries()) {
    if (ref === null || seen.has(ref)) continue;
    seen.add(ref);
    const bundle = openBundle(ref, await readSchema(ref));
    if ("faults" in bundle) {
      const path = ["tools", index, "schema_ref"];
      findings.push(...sortFindings(bundle.faults.map((fault) => finding(path, document, fault))));
    } else {
      schemas.push(deriveSchema(bundle.value, ref, "request"), deriveSchema(bundle.value, ref, "response"));
    }
  }
  return findings.length > 0 ? { findings, schemas: [] } : { findings, schemas };
}

interface Fault {
  readonly message: string;
  /** Where in the schema file; without one, the manifest's own line is shown. */
  readonly at?: Place;
}

function finding(path: DocumentPath, document: ManifestDocument, fault: Fault): Finding {
  return { code, message: fault.message, path: renderPath(path), at: fault.at ?? document.placeOf(path) };
}

function openBundle(ref: string, bytes: Uint8Array | undefined): { value: Table } | { faults: Fault[] } {
  const file = `schemas/${ref}.json`;
  if (bytes === undefined) return { faults: [{ message: `${file} is not in the plugin.` }] };
  if (bytes.length > maxManifestBytes) return { faults: [{ message: `${file} is larger than 1 MiB.` }] };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { faults: [{ message: `${file} is not valid UTF-8.` }] };
  try {
    const read = readJson(text);
    const faults = bundleFaults(file, text, read);
    return faults.length > 0 ? { faults } : { value: tableOf(read.value) };
  } catch (error) {
    if (!(error instanceof ReadFault)) throw error;
    return {
      faults: [
        { message: `${file} cannot be read: ${error.message}.`, at: placeIn(file, text, error.offset) },
      ],
    };
  }
}

function bundleFaults(file: string, text: string, { value, marks }: Read): Fault[] {
  return rawFaults(value)
    .slice(0, 100)
    .map(({ path, predicate }) => {
      const subject = path.length === 0 ? file : `${renderPath(path)} in ${file}`;
      return { message: `${subject} ${predicate}.`, at: placeIn(file, text, lastMark(marks, path).at) };
    });
}

function rawFaults(value: unknown): SchemaFault[] {
  if (!isRecord(value)) return [{ path: [], predicate: "must hold one object" }];
  const faults: SchemaFault[] = [];
  if (value.$schema !== undefined && String(value.$schema).replace(/#$/, "") !== schemaDialect) {
    faults.push({ path: ["$schema"], predicate: `must be ${schemaDialect}, not ${show(value.$schema)}` });
  }
  const definitions = tableOf(value.$defs);
  for (const part of ["request", "response"] as const) {
    const path = ["$defs", part];
    if (definitions[part] === undefined) faults.push({ path, predicate: "is missing" });
    else if (!isRecord(definitions[part])) faults.push({ path, predicate: "must be an object" });
    for (const target of lostReferences(value, part)) {
      faults.push({ path, predicate: `refers to ${show(target)}, which is not in its $defs` });
    }
  }
  return [...faults, ...schemaFaults(value, [])];
}
