import { expect, test } from "bun:test";
import { findBanned } from "../../src/dev/hygiene.ts";

const slash = "/";

test("the download host of a package in a lock file is found", () => {
  const line = `      "resolved": "https:${slash}/registry.example/a/-/a-1.0.0.tgz",`;
  expect(findBanned("package-lock.json", `{\n${line}\n`)).toEqual([
    "package-lock.json:2: a lock file names a download host",
  ]);
});

test("a path of a machine is found, and a path inside the project is not", () => {
  expect(findBanned("docs/a.md", `see ${slash}root${slash}x`)).toEqual(["docs/a.md:1: a path of a machine"]);
  expect(findBanned("docs/a.md", "see dist/root/x and src/work/y")).toEqual([]);
});

test("marks of unfinished work and switched-off tests are found", () => {
  expect(findBanned("src/a.ts", `// ${"TO"}${"DO"} later`)).toEqual([
    "src/a.ts:1: a mark of unfinished work",
  ]);
  expect(findBanned("test/a.test.ts", `test.${"only"}("x", () => {});`)).toEqual([
    "test/a.test.ts:1: a test that is skipped without a condition, focused or empty",
  ]);
  expect(findBanned("test/a.test.ts", 'test.skipIf(!root)("needs root", () => {});')).toEqual([]);
});
