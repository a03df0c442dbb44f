// Runs one test suite and leaves its results: dist/results/<name>.xml as Bun's JUnit report, and <name>.tally, which
// .ci/run adds up. The report alone is not the truth: Bun leaves out a file that could not be loaded, so every test
// file that is absent from the report counts as a failure here.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Glob } from "bun";
import { readReport, type TestCase } from "./junit.ts";

const results = "dist/results";
const testTimeoutMs = 60_000;

const [name, folder] = process.argv.slice(2);
if (name === undefined || folder === undefined) {
  console.error("usage: suite.ts <name> <folder>");
  process.exit(2);
}
process.exit(runSuite(name, folder));

function runSuite(suite: string, root: string): number {
  const report = `${results}/${suite}.xml`;
  mkdirSync(results, { recursive: true });
  rmSync(report, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      "test",
      "--parallel",
      `--timeout=${testTimeoutMs}`,
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      `./${root}/`,
    ],
    { stdio: "inherit" },
  );
  const cases = existsSync(report) ? readReport(readFileSync(report, "utf8")) : [];
  const lost = lostFiles(root, cases);
  return tell(suite, cases, lost, status);
}

/** Test files that the report does not know: they did not load, or their worker died. */
function lostFiles(root: string, cases: readonly TestCase[]): string[] {
  const seen = new Set(cases.map(({ file }) => file));
  const files = [...new Glob("**/*.test.ts").scanSync(root)].map((file) => `${root}/${file}`);
  return files.filter((file) => !seen.has(file)).toSorted();
}

function tell(
  suite: string,
  cases: readonly TestCase[],
  lost: readonly string[],
  status: number | null,
): number {
  const count = (result: TestCase["result"]): number => cases.filter((test) => test.result === result).length;
  let failed = count("failed") + lost.length;
  if (status !== 0 && failed === 0) failed = 1;
  const skipped = cases.filter(({ result }) => result === "skipped");
  for (const { file, title } of skipped) console.error(`skipped: ${file}: ${title}`);
  for (const file of lost) console.error(`did not run: ${file}`);
  console.error(`${suite}: ${count("passed")} passed, ${failed} failed, ${skipped.length} skipped`);
  writeFileSync(
    `${results}/${suite}.tally`,
    `passed ${count("passed")}\nfailed ${failed}\nskipped ${skipped.length}\n`,
  );
  return failed === 0 ? 0 : 1;
}
