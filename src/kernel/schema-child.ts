import type { Readable, Writable } from "node:stream";
import { serveSchemaChecks } from "../wire/schema-child.ts";

/** Checks values against plugins' schemas for the gum that started this process, until its input ends. */
export function runSchemaChild(input: Readable, output: Writable): Promise<void> {
  return serveSchemaChecks(input, output);
}
