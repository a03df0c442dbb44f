import { expect } from "bun:test";
import * as v from "valibot";
import { cliSchemas } from "../../src/cli/schemas.ts";
import type { Scratch } from "./real-world.ts";

/** Runs the command with --json, expects its exit code, and checks its answer against the published model. */
export async function answer(scratch: Scratch, words: readonly string[], exit = 0) {
  const { code, out, err } = await scratch.gum([...words, "--json"]);
  const model = cliSchemas[`cli/${words.slice(0, 2).join("-")}.v1`];
  if (model === undefined) throw new Error(`There is no model for ${words.join(" ")}`);
  expect([words, code, err]).toEqual([words, exit, ""]);
  const value = JSON.parse(out);
  v.parse(model, value);
  return value;
}

/** Runs the command with --json: its exit code, its error code and its sentence. */
export async function failure(
  scratch: Scratch,
  words: readonly string[],
): Promise<readonly [number, string, string]> {
  const { code, out } = await scratch.gum([...words, "--json"]);
  const { error_code, error } = JSON.parse(out);
  return [code, error_code, error];
}
