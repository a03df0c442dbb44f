import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReport } from "../../src/dev/junit.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gum-suite-"));
  mkdirSync(join(folder, "src/dev"), { recursive: true });
  mkdirSync(join(folder, "test"));
  for (const file of ["suite.ts", "junit.ts"]) cpSync(`src/dev/${file}`, join(folder, "src/dev", file));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the run of a suite", () => {
  test("a suite that passes is counted and succeeds", () => {
    write("good.test.ts", 'test("one", () => expect(1).toBe(1));\ntest("two", () => expect(2).toBe(2));');
    expect(runSuite()).toEqual({ code: 0, tally: "passed 2\nfailed 0\nskipped 0\n" });
  });

  test("a failing test is counted", () => {
    write("bad.test.ts", 'test("one", () => expect(1).toBe(2));\ntest("two", () => expect(2).toBe(2));');
    expect(runSuite()).toEqual({ code: 1, tally: "passed 1\nfailed 1\nskipped 0\n" });
  });

  test("a file that cannot be loaded is a failure, although the report leaves it out", () => {
    write("good.test.ts", 'test("one", () => expect(1).toBe(1));');
    write("broken.test.ts", 'throw new Error("at load time");');
    expect(runSuite()).toEqual({ code: 1, tally: "passed 1\nfailed 1\nskipped 0\n" });
  });

  test("a file whose process dies is a failure", () => {
    write("good.test.ts", 'test("one", () => expect(1).toBe(1));');
    write("dying.test.ts", 'test("dies", () => process.kill(process.pid, "SIGKILL"));');
    const { code, tally } = runSuite();
    expect(code).toBe(1);
    expect(tally).toMatch(/^failed [1-9]/m);
  });

  test("no test at all is a failure", () => {
    expect(runSuite()).toEqual({ code: 1, tally: "passed 0\nfailed 1\nskipped 0\n" });
  });

  test("a skipped test is counted apart", () => {
    write(
      "some.test.ts",
      'test("one", () => expect(1).toBe(1));\ntest.skipIf(1 > 0)("two (needs luck)", () => {});',
    );
    const { code, tally } = runSuite();
    expect([code, tally]).toEqual([0, "passed 1\nfailed 0\nskipped 1\n"]);
  });
});

test("a report is read with groups, results and escaped titles", () => {
  const xml = `<testsuites><testsuite name="a">
    <testcase name="P1 one &lt; &amp; &quot;q&quot;&#10;" classname="group" time="0" file="test/a.test.ts" line="2" />
    <testcase name="two" classname="" file="test/a.test.ts"><failure type="AssertionError" message="no">x</failure></testcase>
    <testcase name="three" classname="" file="test/b.test.ts">
      <skipped />
    </testcase></testsuite></testsuites>`;
  expect(readReport(xml)).toEqual([
    { file: "test/a.test.ts", groups: "group", title: 'P1 one < & "q"\n', result: "passed" },
    { file: "test/a.test.ts", groups: "", title: "two", result: "failed" },
    { file: "test/b.test.ts", groups: "", title: "three", result: "skipped" },
  ]);
});

function write(name: string, body: string): void {
  writeFileSync(join(folder, "test", name), `import { expect, test } from "bun:test";\n${body}\n`);
}

function runSuite(): { code: number; tally: string } {
  const { exitCode } = Bun.spawnSync([process.execPath, "src/dev/suite.ts", "test", "test"], {
    cwd: folder,
    env: { ...process.env, CI: "true" },
    stdout: "ignore",
    stderr: "ignore",
    timeout: 30_000,
  });
  return { code: exitCode, tally: readFileSync(join(folder, "dist/results/test.tally"), "utf8") };
}
