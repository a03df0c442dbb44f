// Checks values against plain schemas, which are most: no Ajv to load, and no input can make it slow.
// What is not plain (recursion, patterns that may backtrack, rare keywords, anything malformed) is left to Ajv.
import { isRecord } from "../base/record.ts";
import {
  type Check,
  escapePointer,
  list,
  NotPlain,
  type Run,
  report,
  simpleKeyword,
  step,
  TooMuch,
  type Violation,
} from "./schema-keywords.ts";

/** The violations of a value; undefined when it is too large to be checked here. */
export type PlainCheck = (value: unknown) => readonly Violation[] | undefined;

const maxNodes = 2000;

/** A check for a plain schema; undefined when the schema is not plain. */
export function compilePlain(schema: unknown): PlainCheck | undefined {
  const check = attempt(() => new Compiler(schema).compile(schema), NotPlain);
  if (check === undefined) return undefined;
  return (value) => {
    const run: Run = { found: [], steps: 0 };
    return attempt(() => {
      check(value, "", run);
      return run.found;
    }, TooMuch);
  };
}

function attempt<T>(work: () => T, expected: typeof NotPlain | typeof TooMuch): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof expected) return undefined;
    throw error;
  }
}

const notes = new Set([
  "$schema",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
]);

const dialects = [
  "https://json-schema.org/draft/2020-12/schema",
  "https://json-schema.org/draft/2020-12/schema#",
  "http://json-schema.org/draft-07/schema",
  "http://json-schema.org/draft-07/schema#",
];

class Compiler {
  readonly #root: unknown;
  readonly #open: string[] = [];
  #nodes = 0;

  constructor(root: unknown) {
    this.#root = root;
    if (isRecord(root) && root.$schema !== undefined && !dialects.some((name) => name === root.$schema)) {
      throw new NotPlain();
    }
  }

  compile(schema: unknown): Check {
    if (++this.#nodes > maxNodes) throw new NotPlain();
    if (schema === true) return () => undefined;
    if (schema === false) return (_, at, run) => report(run, at, "is not allowed");
    if (!isRecord(schema)) throw new NotPlain();
    const checks = Object.entries(schema).flatMap(
      ([keyword, argument]) => this.#keyword(keyword, argument, schema) ?? [],
    );
    return (value, at, run) => {
      step(run, 1);
      for (const check of checks) check(value, at, run);
    };
  }

  #keyword(keyword: string, argument: unknown, schema: Record<string, unknown>): Check | undefined {
    if (notes.has(keyword) || keyword.startsWith("x-")) return undefined;
    switch (keyword) {
      case "$ref":
        return this.#reference(argument, schema);
      case "properties":
        return this.#properties(argument);
      case "additionalProperties":
        return this.#additional(argument, schema);
      case "items":
        return this.#items(argument, schema);
      case "allOf":
      case "anyOf":
      case "oneOf":
        return this.#several(
          keyword,
          list(argument).map((each) => this.compile(each)),
        );
      case "not":
        return negated(this.compile(argument));
      default:
        return simpleKeyword(keyword, argument);
    }
  }

  #reference(argument: unknown, schema: Record<string, unknown>): Check {
    const name = typeof argument === "string" ? /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(argument) : null;
    const old = isRecord(this.#root) && String(this.#root.$schema ?? "").includes("draft-07");
    // Draft-07 ignores what stands beside a $ref.
    if (name === null || this.#open.includes(name[0]) || (old && Object.keys(schema).length > 1))
      throw new NotPlain();
    const [whole, group = "", key = ""] = name;
    const shelf = isRecord(this.#root) ? this.#root[group] : undefined;
    if (!isRecord(shelf) || !Object.hasOwn(shelf, key)) throw new NotPlain();
    this.#open.push(whole);
    const check = this.compile(shelf[key]);
    this.#open.pop();
    return check;
  }

  #properties(argument: unknown): Check {
    if (!isRecord(argument)) throw new NotPlain();
    const checks = Object.entries(argument).map(([key, schema]) => [key, this.compile(schema)] as const);
    return (value, at, run) => {
      if (!isRecord(value)) return;
      for (const [key, check] of checks) {
        if (Object.hasOwn(value, key)) check(value[key], `${at}/${escapePointer(key)}`, run);
      }
    };
  }

  #additional(argument: unknown, schema: Record<string, unknown>): Check {
    const named = new Set(isRecord(schema.properties) ? Object.keys(schema.properties) : []);
    const check = this.compile(argument);
    return (value, at, run) => {
      if (!isRecord(value)) return;
      for (const key of Object.keys(value)) {
        if (!named.has(key)) check(value[key], `${at}/${escapePointer(key)}`, run);
      }
    };
  }

  #items(argument: unknown, schema: Record<string, unknown>): Check {
    if (Array.isArray(argument) || schema.prefixItems !== undefined) throw new NotPlain();
    const check = this.compile(argument);
    return (value, at, run) => {
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) check(item, `${at}/${index}`, run);
    };
  }

  #several(keyword: "allOf" | "anyOf" | "oneOf", checks: readonly Check[]): Check {
    if (checks.length === 0) throw new NotPlain();
    if (keyword === "allOf") {
      return (value, at, run) => {
        for (const check of checks) check(value, at, run);
      };
    }
    const words =
      keyword === "anyOf" ? "must match a schema in anyOf" : "must match exactly one schema in oneOf";
    return (value, at, run) => {
      const matches = checks.filter((check) => fits(check, value, at, run)).length;
      if (matches === 0 || (keyword === "oneOf" && matches > 1)) report(run, at, words);
    };
  }
}

function fits(check: Check, value: unknown, at: string, run: Run): boolean {
  const trial: Run = { found: [], steps: run.steps };
  check(value, at, trial);
  run.steps = trial.steps;
  return trial.found.length === 0;
}

function negated(check: Check): Check {
  return (value, at, run) => {
    if (fits(check, value, at, run)) report(run, at, "must NOT be valid");
  };
}
