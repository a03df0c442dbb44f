import { expect, test } from "bun:test";
import { findUnsafe, stripUnsafe } from "../../src/model/safe-text.ts";

test("T29 the first unsafe character is found and named", () => {
  expect(findUnsafe("plain\ttext\r\nnaïve 日本 👩‍👧 ❤️ שלום\u200f")).toBeUndefined();
  expect(findUnsafe("ab\u001b[0m")).toEqual({ index: 2, name: "U+001B", kind: "control character" });
  expect(findUnsafe("x\u202ey")).toEqual({ index: 1, name: "U+202E", kind: "bidirectional override" });
  expect(findUnsafe("x\u{e0041}")).toEqual({ index: 1, name: "U+E0041", kind: "invisible tag" });
  expect(findUnsafe("x\ud800")).toEqual({ index: 1, name: "U+D800", kind: "lone surrogate" });
  for (const character of [
    "\0",
    "\u0008",
    "\u000b",
    "\u007f",
    "\u0085",
    "\u009b",
    "\u200b",
    "\u2069",
    "\ufeff",
  ]) {
    expect(findUnsafe(`a${character}`)?.index).toBe(1);
  }
});

test("T29 terminal output loses escape sequences, hidden characters and lone carriage returns", () => {
  const cases: [string, string][] = [
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]8;;https://x\u0007link\u001b]8;;\u001b\\", "link"],
    ["\u009b2Jx", "x"],
    ["\u001bcreset", "reset"],
    ["a\u202eb\u200bc\u{e0041}d", "abcd"],
    ["good\rbad\r\nnext", "good\nbad\nnext"],
    ["tab\tstays\n", "tab\tstays\n"],
    ["\u001b]0;title without an end", "]0;title without an end"],
  ];
  for (const [text, stripped] of cases) expect(stripUnsafe(text)).toBe(stripped);
});
