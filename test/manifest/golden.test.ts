import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Folder, readFolder, runAll } from "./run-all.ts";

const root = join(import.meta.dirname, "../golden/manifests");
const names = readdirSync(root).toSorted();

interface Expected {
  readonly how?: Partial<Folder>;
  readonly findings?: unknown;
  readonly plugin?: unknown;
  readonly warnings?: unknown;
}

test("there are at least 80 golden manifests, good and bad", () => {
  expect(names.length).toBeGreaterThanOrEqual(80);
  expect(names.filter((name) => name.startsWith("good-")).length).toBeGreaterThanOrEqual(15);
});

test.each(names)("golden manifest %s ends as its expected.json says", async (name) => {
  const expected: Expected = JSON.parse(await readFile(join(root, name, "expected.json"), "utf8"));
  const outcome = await runAll({ ...(await readFolder(join(root, name))), ...expected.how });
  const findings = outcome.findings.map(({ code, path, at, message }) => ({
    code,
    ...(path === undefined ? {} : { path }),
    file: at?.file,
    line: at?.line,
    column: at?.column,
    message,
  }));
  const warnings = outcome.warnings.map(({ path, at, message }) => ({ path, line: at?.line, message }));
  if (expected.findings !== undefined) expect<unknown>(findings).toEqual(expected.findings);
  else
    expect<unknown>({ findings, plugin: outcome.plugin }).toEqual({ findings: [], plugin: expected.plugin });
  expect<unknown>(warnings).toEqual(expected.warnings ?? []);
});
