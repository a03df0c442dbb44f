// The keywords of plain schemas that look at one value without going into it.
import { isRecord } from "../base/record.ts";
import { isSafePattern } from "./safe-pattern.ts";
import { formats } from "./schema-formats.ts";

/** One fault of a value, at a JSON pointer into it. */
export interface Violation {
  readonly pointer: string;
  readonly message: string;
}

/** One check of one value: what was found, and what it has cost so far. */
export interface Run {
  readonly found: Violation[];
  steps: number;
}

export type Check = (value: unknown, at: string, run: Run) => void;

/** The schema needs Ajv. */
export class NotPlain extends Error {}
/** The value is too large to be checked on the main thread. */
export class TooMuch extends Error {}

const maxSteps = 1_000_000;
const maxViolations = 200;

/** Counts work, and gives up where it could be noticed by others. */
export function step(run: Run, cost: number): void {
  run.steps += cost;
  if (run.steps > maxSteps) throw new TooMuch();
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
};

/** The check for such a keyword; throws NotPlain for one that is unknown or malformed. */
export function simpleKeyword(keyword: string, argument: unknown): Check {
  if (keyword === "type") return typeCheck(argument);
  if (keyword === "required") return requiredCheck(argument);
  if (keyword === "enum") return oneOfValues(list(argument), "must be equal to one of the allowed values");
  if (keyword === "const") return oneOfValues([argument], "must be equal to constant");
  if (keyword === "pattern") return patternCheck(argument);
  if (keyword === "format") return formatCheck(argument);
  const bound = Object.hasOwn(bounds, keyword) ? bounds[keyword] : undefined;
  if (bound === undefined || typeof argument !== "number" || (bound.count && !isCount(argument)))
    throw new NotPlain();
  if (keyword === "multipleOf" && argument <= 0) throw new NotPlain();
  return (value, at, run) => {
    if (!bound.fits(value, argument)) report(run, at, `${bound.words} ${argument}${bound.unit ?? ""}`);
  };
}

interface Bound {
  readonly fits: (value: unknown, limit: number) => boolean;
  readonly words: string;
  readonly unit?: string;
  readonly count?: boolean;
}

const numeric = (fits: (value: number, limit: number) => boolean, words: string): Bound => ({
  fits: (value, limit) => typeof value !== "number" || fits(value, limit),
  words,
});
const counted = (sizeOf: (value: unknown) => number | undefined, least: boolean, unit: string): Bound => ({
  fits: (value, limit) => {
    const size = sizeOf(value);
    return size === undefined || (least ? size >= limit : size <= limit);
  },
  words: least ? "must NOT have fewer than" : "must NOT have more than",
  unit: ` ${unit}`,
  count: true,
});
const characters = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const members = (value: unknown) => (isRecord(value) ? Object.keys(value).length : undefined);

const bounds: Readonly<Record<string, Bound>> = {
  minimum: numeric((value, limit) => value >= limit, "must be >="),
  maximum: numeric((value, limit) => value <= limit, "must be <="),
  exclusiveMinimum: numeric((value, limit) => value > limit, "must be >"),
  exclusiveMaximum: numeric((value, limit) => value < limit, "must be <"),
  multipleOf: numeric((value, limit) => Number.isInteger(value / limit), "must be multiple of"),
  minLength: counted(characters, true, "characters"),
  maxLength: counted(characters, false, "characters"),
  minItems: counted(items, true, "items"),
  maxItems: counted(items, false, "items"),
  minProperties: counted(members, true, "properties"),
  maxProperties: counted(members, false, "properties"),
};

function typeCheck(argument: unknown): Check {
  const names = Array.isArray(argument) ? argument : [argument];
  const tests = names.map((name) =>
    typeof name === "string" && Object.hasOwn(types, name) ? types[name] : undefined,
  );
  if (names.length === 0 || tests.includes(undefined)) throw new NotPlain();
  return (value, at, run) => {
    if (!tests.some((test) => test?.(value))) report(run, at, `must be ${names.join(" or ")}`);
  };
}

function requiredCheck(argument: unknown): Check {
  const names = list(argument).map((name) => {
    if (typeof name !== "string") throw new NotPlain();
    return name;
  });
  return (value, at, run) => {
    if (!isRecord(value)) return;
    for (const name of names) {
      if (!Object.hasOwn(value, name)) report(run, `${at}/${escapePointer(name)}`, "is required");
    }
  };
}

function oneOfValues(allowed: readonly unknown[], words: string): Check {
  if (allowed.length === 0 || allowed.some((value) => typeof value === "object" && value !== null))
    throw new NotPlain();
  return (value, at, run) => {
    if (!allowed.includes(value)) report(run, at, words);
  };
}

function patternCheck(argument: unknown): Check {
  if (typeof argument !== "string" || !isSafePattern(argument)) throw new NotPlain();
  const pattern = new RegExp(argument, "u");
  // Without an anchor every position is a new start.
  const anchored = argument.startsWith("^");
  return (value, at, run) => {
    if (typeof value !== "string") return;
    step(run, anchored ? value.length * 8 : value.length ** 2 / 16);
    if (!pattern.test(value)) report(run, at, `must match pattern ${JSON.stringify(argument)}`);
  };
}

function formatCheck(argument: unknown): Check {
  if (typeof argument !== "string") throw new NotPlain();
  const has = formats.get(argument);
  return (value, at, run) => {
    if (typeof value === "string" && has?.(value) === false)
      report(run, at, `must match format ${JSON.stringify(argument)}`);
  };
}

/** Notes a violation; after the first few hundred nobody reads them. */
export function report(run: Run, pointer: string, message: string): void {
  if (run.found.length < maxViolations) run.found.push({ pointer, message });
}

/** The argument of a keyword that takes a list. */
export function list(argument: unknown): readonly unknown[] {
  if (!Array.isArray(argument)) throw new NotPlain();
  return argument;
}

function isCount(argument: number): boolean {
  return Number.isInteger(argument) && argument >= 0;
}

/** A name as one part of a JSON pointer. */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
