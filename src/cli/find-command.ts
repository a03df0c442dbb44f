import type { GumError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Group, Load, Routes } from "./command.ts";
import { flagOf } from "./flag-words.ts";
import { globalFlags } from "./flags.ts";
import { quoted, usage } from "./parse.ts";

export type Found =
  | { readonly kind: "command"; readonly load: Load; readonly words: readonly string[] }
  /** A group without a verb, or nothing at all: help is what is left. */
  | {
      readonly kind: "group";
      readonly name: string;
      readonly group: Group;
      readonly words: readonly string[];
    }
  | { readonly kind: "none" };

/** Which command the words name, and the other words in their order. Flags may stand before the command. */
export function findCommand(words: readonly string[], routes: Routes): Found {
  const first = nextWord(words, 0, Object.keys(routes));
  if (first === undefined) {
    const stranger = words.find((word) => word.startsWith("-") && word !== "--" && !isGlobal(word));
    if (stranger !== undefined) throw unknownFlag(stranger);
    return { kind: "none" };
  }
  const name = words[first] ?? "";
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route === undefined) throw unknown(name, Object.keys(routes));
  const left = words.toSpliced(first, 1);
  if (typeof route === "function") return { kind: "command", load: route, words: left };

  const second = nextWord(left, first, Object.keys(route.verbs));
  if (second === undefined) return { kind: "group", name, group: route, words: left };
  const verb = left[second] ?? "";
  const load = Object.hasOwn(route.verbs, verb) ? route.verbs[verb] : undefined;
  if (load === undefined) {
    throw unknown(
      `${name} ${verb}`,
      Object.keys(route.verbs).map((known) => `${name} ${known}`),
    );
  }
  return { kind: "command", load, words: left.toSpliced(second, 1) };
}

/** Where the next word stands that is no flag and no flag's value. */
function nextWord(words: readonly string[], from: number, names: readonly string[]): number | undefined {
  for (let index = from; index < words.length; index++) {
    const word = words[index] ?? "";
    // Behind it nothing is a flag, so the next word is the one.
    if (word === "--") return index + 1 < words.length ? index + 1 : undefined;
    if (!word.startsWith("-") || word === "-") return index;
    if (word.includes("=") || isSwitch(word)) continue;
    // Before the command is known, a flag that is not global may or may not take a value: a command's name is none.
    const next = words[index + 1];
    if (next !== undefined && (isGlobal(word) || !names.includes(next)) && !next.startsWith("-")) index++;
  }
  return undefined;
}

function isGlobal(word: string): boolean {
  return flagOf(globalFlags, word) !== undefined;
}

function isSwitch(word: string): boolean {
  return flagOf(globalFlags, word)?.flag.kind === "switch" || /^-[a-z]$/.test(word);
}

function unknown(name: string, names: readonly string[]): GumError {
  return usage("", `There is no command ${quoted(name)}${didYouMean(name, names)}`);
}

function unknownFlag(word: string): GumError {
  const known = ["version", ...Object.keys(globalFlags)].map((name) => `--${name}`);
  const flag = word.replace(/=[\s\S]*$/, "");
  return usage("", `Unknown flag ${quoted(flag)}${didYouMean(flag, known)}`);
}
