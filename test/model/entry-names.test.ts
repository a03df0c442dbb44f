import { describe, expect, test } from "bun:test";
import { foldedName, followLink, nameFault, printablePath } from "../../src/model/entry-names.ts";

describe("names of entries", () => {
  test("T26 ordinary names of every script pass", () => {
    for (const name of ["a.txt", ".hidden", "Ünïcode", "日本語", "with space", "émoji-👩‍💻", "a'b\"c"])
      expect(nameFault(name)).toBeUndefined();
  });

  test("T26 what cannot be seen or told apart does not", () => {
    for (const name of ["a\u0007", "a\tb", "a\\b", "a\u202eb", "a\ufffd", "a\u{e0041}"])
      expect(nameFault(name)).toStartWith("has a");
  });

  test("T5 names that are one file elsewhere fold alike", () => {
    expect(foldedName("README")).toBe(foldedName("readme"));
    expect(foldedName("caf\u00e9")).toBe(foldedName("CAFE\u0301"));
    expect(foldedName("stra\u00dfe")).toBe(foldedName("STRASSE"));
    expect(foldedName("a")).not.toBe(foldedName("b"));
  });

  test("T29 a name is printed without what could move the cursor, and cut to its end", () => {
    expect(printablePath("a\u001b[2J\u202eb\n\ufffd")).toBe("a?[2J?b??");
    expect(printablePath(`${"x".repeat(300)}end`)).toBe(`${"x".repeat(197)}end`);
  });
});

describe("links of a tree", () => {
  const verdict = (path: string, links: Record<string, string>) =>
    followLink(path, new Map(Object.entries(links)));

  test("T26 stay inside, leave, or go round", () => {
    expect(verdict("l", { l: "a/b" })).toBe("inside");
    expect(verdict("a/l", { "a/l": "../b" })).toBe("inside");
    expect(verdict("a/l", { "a/l": "../../b" })).toBe("outside");
    expect(verdict("l", { l: "/etc" })).toBe("outside");
    expect(verdict("l", { l: "d/../x", d: "a/b/c" })).toBe("inside");
    expect(verdict("l", { l: "d/../../../x", d: "a/b" })).toBe("outside");
    expect(verdict("l", { l: "m", m: "l" })).toBe("loop");
  });
});
