import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { gumBinary } from "./scratch.ts";

test("E3 the binary names no file of the folder that it was built in", () => {
  const bytes = readFileSync(gumBinary);
  for (const folder of ["src", "node_modules", "pipelines"])
    expect(bytes.includes(`${process.cwd()}/${folder}/`)).toBe(false);
  // The control: what is embedded can be found this way.
  expect(bytes.includes("pipeline: install\nversion: 1\n")).toBe(true);
});
