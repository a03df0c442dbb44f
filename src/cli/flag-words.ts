import { type Flag, type FlagTable, globalFlags, shortFlags } from "./flags.ts";

/** A word of the command line that names a flag. */
export interface FlagWord {
  readonly name: string;
  readonly flag: Flag;
  /** As it was written, without its value: `--no-cache`. */
  readonly written: string;
  /** What stands after an equals sign. */
  readonly inline: string | undefined;
  /** Said as `--no-…`. */
  readonly off: boolean;
}

/** Which flag of the table a word names: `--x`, `--x=value`, `--no-x`, `-x`; undefined when it is none of them. */
export function flagOf(table: FlagTable, word: string): FlagWord | undefined {
  const { dashes, said, inline } = splitFlag(word);
  const full = dashes === "-" ? (shortFlags[said] ?? "") : said;
  const written = `${dashes}${said}`;
  const flag = Object.hasOwn(table, full) ? table[full] : undefined;
  if (flag !== undefined) return { name: full, flag, written, inline, off: false };
  const positive = full.startsWith("no-") ? full.slice(3) : "";
  const opposite = Object.hasOwn(table, positive) ? table[positive] : undefined;
  return opposite?.kind === "switch"
    ? { name: positive, flag: opposite, written, inline, off: true }
    : undefined;
}

/** The parts of `--name=value`. */
export function splitFlag(word: string): { dashes: string; said: string; inline: string | undefined } {
  const [, dashes = "", said = "", , inline] = /^(--?)([^=]*)(=([\s\S]*))?$/.exec(word) ?? [];
  return { dashes, said, inline };
}

/** What the command line says about how to answer, read before it is known to be right. */
export interface Wishes {
  readonly json: boolean;
  readonly debug: boolean;
  readonly color: boolean;
}

/** Looks for --json, --log-level debug and --no-color without refusing anything. */
export function wishesOf(words: readonly string[]): Wishes {
  const end = words.indexOf("--");
  const values = new Map<string, string | boolean>();
  for (const [index, word] of words.slice(0, end < 0 ? words.length : end).entries()) {
    const said = flagOf(globalFlags, word);
    if (said !== undefined)
      values.set(
        said.name,
        said.flag.kind === "switch" ? !said.off : (said.inline ?? words[index + 1] ?? ""),
      );
  }
  return {
    json: values.get("json") === true || values.get("format") === "json",
    debug: values.get("log-level") === "debug",
    color: values.get("color") !== false,
  };
}
