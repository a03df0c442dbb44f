// Schemas of every kind, by Ajv. Its checks can be made slow by a hostile schema: run them in the child of schema-child.ts.

import type { ErrorObject, ValidateFunction } from "ajv";
import { isRecord } from "../base/record.ts";
import { formats } from "./schema-formats.ts";
import { escapePointer, type Violation } from "./schema-keywords.ts";

const maxViolations = 200;

/** Why a schema cannot be used. */
export class BrokenSchema extends Error {}

/** A check by the dialect that `$schema` names: 2020-12 unless it says Draft-07. Throws BrokenSchema. */
export async function compileWithAjv(schema: unknown): Promise<(value: unknown) => readonly Violation[]> {
  if (typeof schema !== "boolean" && !isRecord(schema))
    throw new BrokenSchema("A schema is an object, true or false");
  const ajv = await ajvFor(isRecord(schema) ? schema.$schema : undefined);
  const validate = compile(ajv, schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, maxViolations).map(violation));
}

interface Compiles {
  compile(schema: Record<string, unknown> | boolean): ValidateFunction;
}

function compile(ajv: Compiles, schema: Record<string, unknown> | boolean): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new BrokenSchema(error instanceof Error ? error.message : String(error));
  }
}

const options = {
  allErrors: true,
  strict: false,
  // Two tools of a plugin may use one $id for different schemas.
  addUsedSchema: false,
  // Formats that gum does not know are notes; patterns are read as Unicode, as JSON Schema asks.
  formats: Object.fromEntries(formats),
  unicodeRegExp: true,
  logger: false,
} as const;

const draft07 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;
const draft2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

// Making one takes longer than most schemas do.
let ajv07: Promise<Compiles> | undefined;
let ajv2020: Promise<Compiles> | undefined;

function ajvFor(dialect: unknown): Promise<Compiles> {
  if (typeof dialect === "string" && draft07.test(dialect)) {
    ajv07 ??= import("ajv").then(({ Ajv }) => new Ajv(options));
    return ajv07;
  }
  if (dialect === undefined || (typeof dialect === "string" && draft2020.test(dialect))) {
    ajv2020 ??= import("ajv/dist/2020.js").then(({ Ajv2020 }) => new Ajv2020(options));
    return ajv2020;
  }
  throw new BrokenSchema(`The dialect ${JSON.stringify(dialect)} is not known: use 2020-12 or Draft-07`);
}

/** Missing and unknown properties are named in the pointer, where whoever reads the error looks for them. */
function violation({ keyword, instancePath, params, message }: ErrorObject): Violation {
  const { missingProperty, additionalProperty } = params;
  if (keyword === "required" && typeof missingProperty === "string") {
    return { pointer: `${instancePath}/${escapePointer(missingProperty)}`, message: "is required" };
  }
  if (keyword === "additionalProperties" && typeof additionalProperty === "string") {
    return { pointer: `${instancePath}/${escapePointer(additionalProperty)}`, message: "is not allowed" };
  }
  return { pointer: instancePath, message: message ?? `breaks ${keyword}` };
}
