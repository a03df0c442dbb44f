import { expect, test } from "bun:test";
import { Glob } from "bun";
import { citedRules } from "../../src/dev/rule-ids.ts";
import { requirements, unproven } from "../contract/requirements.ts";
import { readSources } from "./source.ts";

/** Titles that start with a rule's id, as `file: title`. */
const cited = [...(await titlesOf("test")), ...(await titlesOf("test-slow")), ...(await storyTitles())];

test("every rule that a title cites is in the table", () => {
  const unknown = cited.filter(({ title }) => citedRules(title).some((id) => !(id in requirements)));
  expect(unknown).toEqual([]);
});

test("every rule that is claimed has a test", () => {
  const proven = new Set(cited.flatMap(({ title }) => citedRules(title)));
  const missing = Object.keys(requirements).filter((id) => !proven.has(id) && !isUnproven(id));
  expect(missing).toEqual([]);
});

test("the ids at the head of a title are read one by one", () => {
  expect(citedRules("T7 a changed executable is refused")).toEqual(["T7"]);
  expect(citedRules("T13 T14 a denied name is refused")).toEqual(["T13", "T14"]);
  expect(citedRules("M5, M6 ids and titles")).toEqual(["M5", "M6"]);
  expect(citedRules("a title without T7 in front")).toEqual([]);
  expect(citedRules("SHA256 of nothing")).toEqual([]);
});

interface Title {
  readonly file: string;
  readonly title: string;
}

/** Strings that stand first in a call and start with an id: the titles of tests, groups and tables of tests. */
async function titlesOf(folder: string): Promise<Title[]> {
  const sources = (await readSources(folder)).filter(({ path }) => path !== "house/requirements.test.ts");
  return sources.flatMap(({ path, code }) =>
    [...code.matchAll(/\(\s*(["'`])([A-Z]\d{1,2},? (?:\\.|(?!\1).)*)\1/g)].map(([, , title = ""]) => ({
      file: `${folder}/${path}`,
      title,
    })),
  );
}

/** The first line of each story. */
async function storyTitles(): Promise<Title[]> {
  const files = [...new Glob("*.txt").scanSync("test/script")].toSorted();
  return Promise.all(
    files.map(async (name) => {
      const [first = ""] = (await Bun.file(`test/script/${name}`).text()).split("\n");
      return { file: `test/script/${name}`, title: first.replace(/^# /, "") };
    }),
  );
}

function isUnproven(id: string): boolean {
  return unproven.some((open) => open === id);
}
