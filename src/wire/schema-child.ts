// The program that checks values against schemas that are not plain. It runs as a child of gum, so that a schema that
// makes it slow costs nobody else anything: gum kills it when the time is over. One JSON message per line each way.

import type { Readable, Writable } from "node:stream";
import { isRecord } from "../base/record.ts";
import { LineReader } from "./line-reader.ts";
import { compileWithAjv } from "./schema-ajv.ts";
import type { Violation } from "./schema-keywords.ts";

/** The longest message between gum and this child; a value alone may have 16 MiB. */
export const maxCheckBytes = 64 * 1024 * 1024;

type Compiled = Promise<(value: unknown) => readonly Violation[]>;

/** Says `{ready}`, then answers checks until the input ends: `{key, schema?, value}` with `{violations}` or `{broken}`. */
export async function serveSchemaChecks(input: Readable, output: Writable): Promise<void> {
  // The time limit of a check is not spent on loading Ajv.
  await compileWithAjv(true);
  output.write('{"ready":true}\n');
  const compiled = new Map<string, Compiled>();
  const reader = new LineReader(maxCheckBytes, {
    line: (text) => {
      void answer(compiled, JSON.parse(text)).then((reply) => output.write(`${JSON.stringify(reply)}\n`));
    },
    fault: (fault) => input.destroy(new Error(`Cannot read a check: ${fault}`)),
  });
  return new Promise((resolve, reject) => {
    input.on("data", (chunk: Uint8Array) => reader.push(chunk));
    input.once("end", () => resolve());
    input.once("error", reject);
  });
}

async function answer(compiled: Map<string, Compiled>, request: unknown): Promise<Record<string, unknown>> {
  if (!isRecord(request)) return { broken: "Not a check" };
  const { key, schema, value } = request;
  try {
    const known = compiled.get(String(key)) ?? compileWithAjv(schema);
    compiled.set(String(key), known);
    return { violations: (await known)(value) };
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  }
}
