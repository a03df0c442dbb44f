// Strict parsing: what is not declared is refused, with the nearest name.
import { GumError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { ArgumentTable, Input } from "./command.ts";
import type { Globals } from "./context.ts";
import { type FlagWord, flagOf, splitFlag } from "./flag-words.ts";
import type { Flag, FlagTable, Whole } from "./flags.ts";

interface Parsed<A extends ArgumentTable, F extends FlagTable> {
  readonly values: Input<A, F>;
  readonly globals: Globals;
  readonly help: boolean;
}

type Value = boolean | string | number | readonly string[] | undefined;

/** The words of one command by its tables. Throws USAGE that names the word. With --help, arguments may be missing. */
export function parse<A extends ArgumentTable, F extends FlagTable>(
  command: string,
  argumentTable: ArgumentTable,
  flagTable: FlagTable,
  words: readonly string[],
): Parsed<A, F> {
  const { flags, positionals } = readWords(command, flagTable, words);
  const help = flags.get("help") === true;
  const args = help ? {} : readArguments(command, argumentTable, positionals);
  if (flags.get("json") === true && flags.get("format") !== undefined && flags.get("format") !== "json") {
    throw usage(command, `--json and --format ${flags.get("format")} contradict each other`);
  }
  const all = Object.fromEntries(flags);
  // The boundary: both records were filled by walking the very tables that give these types.
  return { values: { args, flags: all } as Input<A, F>, globals: all as unknown as Globals, help };
}

/** An error in the command line of `command`. */
export function usage(command: string, message: string, hint?: string): GumError {
  const sentence = /[.?]$/.test(message) ? message : `${message}.`;
  const help = ["gum", command, "--help"].filter((word) => word !== "").join(" ");
  return new GumError("USAGE", sentence, { hint: hint ?? `see \`${help}\`` });
}

const longestQuote = 80;

/** A word of the command line in quotes, as much of it as is worth reading. */
export function quoted(word: string): string {
  return `"${word.length > longestQuote ? `${word.slice(0, longestQuote - 1)}…` : word}"`;
}

function readWords(command: string, table: FlagTable, words: readonly string[]) {
  const flags = new Map(Object.entries(table).map(([name, flag]) => [name, initial(flag)]));
  const positionals: string[] = [];
  const given = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") {
      positionals.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const said = nameOf(command, table, word);
    if (said.flag.kind !== "switch" && !isRepeated(said.flag) && given.has(said.name)) {
      throw usage(command, `The flag --${said.name} is given twice`);
    }
    given.add(said.name);
    const { value, tookNext } = givenValue(command, said, words[index + 1]);
    if (tookNext) index++;
    const before = flags.get(said.name);
    flags.set(
      said.name,
      isRepeated(said.flag) ? [...(Array.isArray(before) ? before : []), String(value)] : value,
    );
  }
  return { flags, positionals };
}

/** What a flag was given, and whether the next word was needed for it. */
function givenValue(
  command: string,
  { name, flag, written, inline, off }: FlagWord,
  next: string | undefined,
): { readonly value: Value; readonly tookNext: boolean } {
  if (flag.kind === "switch") {
    if (inline !== undefined) throw usage(command, `The flag ${written} takes no value`);
    return { value: !off, tookNext: false };
  }
  if (inline !== undefined) return { value: readValue(command, name, flag, inline), tookNext: false };
  if (flag.kind === "choice" && flag.bare !== undefined) return { value: flag.bare, tookNext: false };
  if (next === undefined || next.startsWith("--")) throw usage(command, `The flag --${name} needs a value`);
  return { value: readValue(command, name, flag, next), tookNext: true };
}

function isRepeated(flag: Flag): boolean {
  return flag.kind === "text" && flag.repeated === true;
}

function initial(flag: Flag): Value {
  if (flag.kind === "switch") return flag.on ?? false;
  return isRepeated(flag) ? [] : undefined;
}

function nameOf(command: string, table: FlagTable, word: string): FlagWord {
  const found = flagOf(table, word);
  if (found !== undefined) return found;
  const { dashes, said } = splitFlag(word);
  const known = Object.entries(table).map(([name, candidate]) => shownName(name, candidate));
  throw usage(command, `Unknown flag ${quoted(`${dashes}${said}`)}${didYouMean(`--${said}`, known)}`);
}

/** The flag as help shows it: a switch that is on from the start by its `--no-` form. */
export function shownName(name: string, flag: Flag): string {
  return flag.kind === "switch" && flag.on ? `--no-${name}` : `--${name}`;
}

function readValue(
  command: string,
  name: string,
  flag: Exclude<Flag, { kind: "switch" }>,
  text: string,
): Value {
  if (flag.kind === "choice") {
    if (flag.choices.includes(text)) return text;
    throw usage(
      command,
      `The flag --${name} takes ${wordsOr(flag.choices)}, not ${quoted(text)}${didYouMean(text, flag.choices)}`,
    );
  }
  if (flag.kind === "duration") return readDuration(command, name, text);
  if (flag.kind === "whole") return readWhole(command, name, flag, text);
  if (text === "") throw usage(command, `The flag --${name} needs a value`);
  return text;
}

/** `a, b or c` */
function wordsOr(words: readonly string[]): string {
  return words.join(", ").replace(/, ([^,]*)$/, " or $1");
}

function readWhole(command: string, name: string, { least, most }: Whole, text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usage(
    command,
    `The flag --${name} takes a whole number from ${least} to ${most}, not ${quoted(text)}`,
  );
}

const units: Readonly<Record<string, number>> = { "": 1, ms: 1, s: 1000, m: 60_000 };

function readDuration(command: string, name: string, text: string): number {
  const [, digits, unit = ""] = /^(\d{1,9})(ms|s|m)?$/.exec(text) ?? [];
  const ms = Number(digits) * (units[unit] ?? 1);
  if (ms > 0 && ms <= 2 ** 31 - 1) return ms;
  throw usage(command, `The flag --${name} is a time such as 500ms, 30s or 2m, not ${quoted(text)}`);
}

function readArguments(
  command: string,
  table: ArgumentTable,
  words: readonly string[],
): Record<string, string | readonly string[] | undefined> {
  const values: Record<string, string | readonly string[] | undefined> = {};
  let next = 0;
  for (const [name, { take, choices }] of Object.entries(table)) {
    if (take === "rest") {
      values[name] = words.slice(next);
      next = words.length;
      continue;
    }
    const word = words[next++];
    if (word === undefined && take !== "optional") throw usage(command, `The argument <${name}> is missing`);
    if (word === "" && take !== "optional") throw usage(command, `The argument <${name}> is empty`);
    if (word !== undefined && choices !== undefined && !choices.includes(word)) {
      throw usage(
        command,
        `The argument <${name}> is ${wordsOr(choices)}, not ${quoted(word)}${didYouMean(word, choices)}`,
      );
    }
    values[name] = word;
  }
  const extra = words[next];
  if (extra !== undefined)
    throw usage(command, `Nothing is expected after the last argument, but ${quoted(extra)} is there`);
  return values;
}
