import { expect, test } from "bun:test";
import { ignoreRules } from "../../src/trust/ignore-rules.ts";
import { refusal } from "../registry/support.ts";

test("some names are never part of a package", () => {
  const ignores = ignoreRules("");
  const left = [".git", "a/.git", ".DS_Store", "a/.DS_Store", ".gumignore", ".gitignore", "node_modules"];
  expect(left.filter(ignores)).toEqual([".git", "a/.git", ".DS_Store", "a/.DS_Store", ".gumignore"]);
});

test("a name fits at any depth, a path from the top, and stars as far as they reach", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["*.log", "a.log", true],
    ["*.log", "a/b/c.log", true],
    ["*.log", "a.logs", false],
    ["build", "a/build", true],
    ["build/", "build", true],
    ["/build", "build", true],
    ["/build", "a/build", false],
    ["docs/drafts", "docs/drafts", true],
    ["docs/drafts", "a/docs/drafts", false],
    ["docs/*.md", "docs/a.md", true],
    ["docs/*.md", "docs/a/b.md", false],
    ["docs/**/*.md", "docs/a/b/c.md", true],
    ["docs/**/*.md", "docs/c.md", true],
    ["docs/**", "docs/a/b", true],
    ["**/x.js", "a/b/x.js", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["a.c", "abc", false],
    ["(x)+", "(x)+", true],
    ["# *", "a", false],
  ];
  const wrong = cases.filter(([pattern, path, fits]) => ignoreRules(`\n${pattern}\r\n`)(path) !== fits);
  expect(wrong).toEqual([]);
});

test("a line that other tools read otherwise is refused with its place", async () => {
  for (const line of ["!keep", "[ab]", "a\\b"]) {
    const { code, message } = await refusal(() => ignoreRules(`# one\n${line}\n`));
    expect([code, message]).toEqual(["USAGE", `The line "${line}" of .gumignore is not understood.`]);
  }
});
