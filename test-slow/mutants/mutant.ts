import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { readReport, type TestCase } from "../../src/dev/junit.ts";
import { citedRules } from "../../src/dev/rule-ids.ts";

/** A change that breaks one rule, and the test file that must notice it. */
export interface Mutant {
  readonly file: string;
  readonly rule: string;
  readonly what: string;
  readonly test: string;
  readonly build: boolean;
}

const stepTimeoutMs = 120_000;

/** Reads the head of a patch; a missing line is an error. */
export function readMutant(file: string): Mutant {
  const text = readFileSync(file, "utf8");
  const said = (key: string): string | undefined => new RegExp(`^${key}: (.+)$`, "m").exec(text)?.[1];
  const [what, test] = [said("Mutant"), said("Test")];
  const rule = /^([A-Z]\d+)(?:-[a-z0-9-]+)?\.patch$/.exec(basename(file))?.[1];
  if (what === undefined || test === undefined || rule === undefined)
    throw new Error(`${file}: needs the name <id>.patch and the lines "Mutant:" and "Test:"`);
  return { file, rule, what, test, build: said("Build") === "yes" };
}

/** A copy of the tree that can be broken; packages are shared with the real one. */
export function copyTree(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "gum-mutant-"));
  chmodSync(path, 0o755); // some tests let another user look into the tree
  for (const entry of ["src", "test", "pipelines", "docs", "schemas", "examples"])
    cpSync(entry, join(path, entry), { recursive: true, preserveTimestamps: true });
  for (const entry of [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "bunfig.toml",
    "Makefile",
    "LICENSE",
  ])
    cpSync(entry, join(path, entry), { preserveTimestamps: true });
  symlinkSync(resolve("node_modules"), join(path, "node_modules"));
  mkdirSync(join(path, "dist"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Breaks the copy; an error when the patch does not fit the source any more. */
export function applyPatch(tree: string, mutant: Mutant): void {
  // Outside of any repository `git apply` takes paths as they stand in the patch.
  run(tree, "git", ["apply", "--whitespace=nowarn", resolve(mutant.file)], {
    GIT_CEILING_DIRECTORIES: tmpdir(),
  });
  if (mutant.build) run(tree, "make", ["dist/gum"]);
}

/** Runs the mutant's test file in the copy and tells how the tests of its rule ended. */
export function testsOfRule(tree: string, mutant: Mutant): TestCase[] {
  const report = join(tree, "dist/mutant.xml");
  const ran = spawnSync(
    process.execPath,
    [
      "test",
      `./${mutant.test}`,
      `--test-name-pattern=\\b${mutant.rule}\\b`,
      "--timeout=60000",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
    ],
    {
      cwd: tree,
      encoding: "utf8",
      timeout: stepTimeoutMs,
      env: { ...process.env, GUM_BIN: binaryFor(tree, mutant) },
    },
  );
  const cases = readReport(readFileSync(report, "utf8"));
  if (cases.length === 0) throw new Error(`${mutant.test} did not run:\n${ran.stderr}`);
  return cases.filter(({ title }) => citedRules(title).includes(mutant.rule));
}

function binaryFor(tree: string, { build }: Mutant): string {
  return build ? join(tree, "dist/gum") : resolve("dist/gum");
}

function run(cwd: string, file: string, args: readonly string[], env: Record<string, string> = {}): void {
  const ran = spawnSync(file, args, {
    cwd,
    encoding: "utf8",
    timeout: stepTimeoutMs,
    env: { ...process.env, ...env },
  });
  if (ran.status !== 0)
    throw new Error(`${file} ${args.join(" ")} ended with ${ran.status}:\n${ran.stdout}${ran.stderr}`);
}
