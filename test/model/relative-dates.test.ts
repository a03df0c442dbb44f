import { describe, expect, test } from "bun:test";
import { resolveDates } from "../../src/model/relative-dates.ts";

const at = (text: string) => Date.parse(text);

describe("C2 relative dates", () => {
  const cases: [said: string, now: string, expected: string][] = [
    ["today", "2026-03-31T23:59:59Z", "2026-03-31"],
    ["now", "2026-03-31T23:59:59Z", "2026-03-31T23:59:59.000Z"],
    ["+7d", "2026-12-28T10:00:00Z", "2027-01-04"],
    ["-1d", "2024-03-01T00:00:00Z", "2024-02-29"],
    ["+2w", "2026-01-01T00:00:00Z", "2026-01-15"],
    ["+1m", "2026-01-31T00:00:00Z", "2026-02-28"],
    ["-1m", "2026-03-31T00:00:00Z", "2026-02-28"],
    ["+1y", "2024-02-29T00:00:00Z", "2025-02-28"],
    ["+9999d", "2026-01-01T00:00:00Z", "2053-05-18"],
    ["-13m", "2026-01-15T00:00:00Z", "2024-12-15"],
  ];
  test.each(cases)("C2 %s at %s is %s", (said, now, expected) => {
    expect(resolveDates(said, at(now))).toBe(expected);
  });

  test("C2 only whole strings are dates, at any depth", () => {
    const args = { a: "+7d please", b: ["today", { c: "+1d" }], d: 7, e: null, f: "+12345d", g: "7d" };
    expect(resolveDates(args, at("2026-01-01T00:00:00Z"))).toEqual({
      a: "+7d please",
      b: ["2026-01-01", { c: "2026-01-02" }],
      d: 7,
      e: null,
      f: "+12345d",
      g: "7d",
    });
  });

  test("C2 a leading backslash keeps a literal", () => {
    expect(resolveDates(["\\today", "\\+7d", "\\\\today", "\\other"], 0)).toEqual([
      "today",
      "+7d",
      "\\today",
      "\\other",
    ]);
  });
});
