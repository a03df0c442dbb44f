/** One test of a JUnit report. */
export interface TestCase {
  readonly file: string;
  /** The names of the groups around it, outermost first. */
  readonly groups: string;
  readonly title: string;
  readonly result: "passed" | "failed" | "skipped";
}

/** The test cases of a report as `bun test --reporter=junit` writes it. */
export function readReport(xml: string): TestCase[] {
  const cases: TestCase[] = [];
  for (const [, head = "", body = ""] of xml.matchAll(
    /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  )) {
    cases.push({
      file: attribute(head, "file"),
      groups: attribute(head, "classname"),
      title: attribute(head, "name"),
      result: body.includes("<failure") ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
    });
  }
  return cases;
}

function attribute(head: string, name: string): string {
  const said = new RegExp(` ${name}="([^"]*)"`).exec(head)?.[1] ?? "";
  return said.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, word) => {
    if (code !== undefined) return String.fromCodePoint(Number(code));
    return { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }[String(word)] ?? whole;
  });
}
