import { expect, test } from "bun:test";
import { compareSemver, parseSemver, satisfies } from "../../src/model/semver.ts";

function version(text: string) {
  const parsed = parseSemver(text);
  if (parsed === undefined) throw new Error(`not a version: ${text}`);
  return parsed;
}

test("M7 versions are compared when they are semantic versions", () => {
  const rising = [
    "0.9.0",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0",
    "1.0.1",
    "1.10.0",
    "2.0.0",
  ];
  for (const [index, older] of rising.slice(0, -1).entries()) {
    const newer = rising[index + 1] ?? "";
    expect({ older, newer, order: Math.sign(compareSemver(version(older), version(newer))) }).toEqual({
      older,
      newer,
      order: -1,
    });
  }
  expect(compareSemver(version("1.2.3+a"), version("v1.2.3+b"))).toBe(0);
  for (const text of ["1.2", "1", "one", "", "1.2.3.4", "1.2.x"]) expect(parseSemver(text)).toBeUndefined();
});

test("M40 ranges are read as npm reads them", () => {
  const cases: [string, string, boolean | undefined][] = [
    ["18.2.0", ">=18", true],
    ["17.9.9", ">=18", false],
    ["1.9.0", "^1.2.0", true],
    ["2.0.0", "^1.2.0", false],
    ["0.3.9", "^0.3.1", true],
    ["0.4.0", "^0.3.1", false],
    ["0.0.4", "^0.0.3", false],
    ["1.2.9", "~1.2.3", true],
    ["1.3.0", "~1.2.3", false],
    ["1.3.0", "~1", true],
    ["20.1.0", "18 || 20", true],
    ["19.1.0", "18 || 20", false],
    ["1.5.0", "1.2 - 1.6", true],
    ["1.7.0", "1.2 - 1.6", false],
    ["1.6.9", "1.2.0 - 1.6", true],
    ["3.1.0", "*", true],
    ["3.1.0", "", true],
    ["3.1.0", "3.x", true],
    ["3.1.0", "> 3", false],
    ["4.0.0", "> 3", true],
    ["3.1.0", "<=3", true],
    ["3.1.0", "<3", false],
    ["3.1.0", "=3.1.0", true],
    ["3.1.0", ">= 1.0.0 < 3.1.0", false],
    ["3.1.0", "latest", undefined],
    ["3.1.0", "^1 || what", undefined],
  ];
  for (const [text, range, fits] of cases) {
    expect({ text, range, fits: satisfies(version(text), range) }).toEqual({ text, range, fits });
  }
});
