// Prints the table rule → tests → result from the reports of the last test runs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { requirements } from "../../test/contract/requirements.ts";
import { readReport, type TestCase } from "./junit.ts";
import { citedRules } from "./rule-ids.ts";

const results = "dist/results";

/** A test as the table shows it, with the run that it stood in. */
interface Proof extends TestCase {
  readonly run: string;
}

const runs = existsSync(results) ? readdirSync(results).filter((file) => file.endsWith(".xml")) : [];
if (runs.length === 0) {
  console.error("No test results in dist/results: run `make test` first.");
  process.exit(1);
}
const proofs = runs.flatMap((file) =>
  readReport(readFileSync(`${results}/${file}`, "utf8")).map((test) => ({
    ...test,
    run: file.replace(/\.xml$/, ""),
  })),
);
process.exit(printTable(proofs));

/** 1 when a rule's test failed. */
function printTable(all: readonly Proof[]): number {
  const uncovered: string[] = [];
  let failed = 0;
  let proven = 0;
  for (const [id, title] of Object.entries(requirements)) {
    const own = all.filter((test) => citedRules(test.title).includes(id));
    const result = resultOf(own);
    if (result === "none") uncovered.push(id);
    if (result === "failed") failed += 1;
    if (result === "passed") proven += 1;
    if (result !== "none") printRule(`${id.padEnd(4)} ${result.padEnd(8)} ${title}`, own);
  }
  const total = Object.keys(requirements).length;
  console.log(`\nnot covered yet (${uncovered.length}): ${uncovered.join(" ")}`);
  console.log(
    `${proven} of ${total} rules have passing tests, ${failed} have a failing one; runs: ${runNames(all)}`,
  );
  return failed === 0 ? 0 : 1;
}

/** A rule counts as passed when none of its tests failed and at least one was not skipped. */
function resultOf(tests: readonly Proof[]): TestCase["result"] | "none" {
  if (tests.length === 0) return "none";
  if (tests.some(({ result }) => result === "failed")) return "failed";
  return tests.some(({ result }) => result === "passed") ? "passed" : "skipped";
}

/** One line per test; the runs in which it stood are told together. */
function printRule(head: string, tests: readonly Proof[]): void {
  console.log(head);
  const lines = new Map<string, string[]>();
  for (const { title, result, run } of tests) {
    const mark = { passed: "✓", failed: "✗", skipped: "–" }[result];
    lines.set(`${mark} ${title}`, [...(lines.get(`${mark} ${title}`) ?? []), run]);
  }
  for (const [line, where] of lines) console.log(`     ${line}  (${[...new Set(where)].join(", ")})`);
}

function runNames(all: readonly Proof[]): string {
  return [...new Set(all.map(({ run }) => run))].join(", ");
}
