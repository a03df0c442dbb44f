import { expect, test } from "bun:test";
import { errorCodes } from "../../src/base/error-codes.ts";
import { lineAt, readSources } from "./source.ts";

/** Files that name variables of the environment, which look like codes and are none. */
const environmentNames = [
  "model/auth-kinds.ts",
  "model/config-keys.ts",
  "model/env-denylist.ts",
  "registry/profile.ts",
  "sandbox/environment.ts",
  "source/find-installer.ts",
  "source/git-command.ts",
];

/** Codes of libraries, which gum compares with and never raises. */
const foreignCodes: readonly string[] = [];

const sources = await readSources("src");

/** Words like SERVICE_DOWN that stand alone in quotes. */
function shouted(code: string): { word: string; line: number }[] {
  return [...code.matchAll(/(["'`])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\1/g)].map((match) => ({
    word: match[2] ?? "",
    line: lineAt(code, match.index),
  }));
}

test("E1 no string of the source looks like a code and is not in the table", () => {
  const foreign = sources
    .filter(({ path }) => !environmentNames.includes(path) && !path.startsWith("dev/"))
    .flatMap(({ path, code }) => shouted(code).map((found) => ({ path, ...found })))
    .filter(({ word }) => !(word in errorCodes) && !foreignCodes.includes(word))
    .filter(({ word }) => !word.startsWith("GUM_") && !word.startsWith("XDG_"));
  expect(foreign).toEqual([]);
});

test("E1 a code that is not in the table would be seen", () => {
  expect(shouted('throw new GumError(\n  "PLUGIN_SAD", "It is.");')).toEqual([
    { word: "PLUGIN_SAD", line: 2 },
  ]);
});

test("E1 codes are upper-case words with underscores", () => {
  const odd = Object.keys(errorCodes).filter((code) => !/^[A-Z]+(?:_[A-Z]+)*$/.test(code));
  expect(odd).toEqual([]);
});
