import { expect, test } from "bun:test";
import { Glob } from "bun";
import { applyPatch, copyTree, readMutant, testsOfRule } from "./mutant.ts";

const mutants = [...new Glob("*.patch").scanSync("test/mutants")]
  .toSorted()
  .map((name) => readMutant(`test/mutants/${name}`));

test("there are mutants", () => {
  expect(mutants.length).toBeGreaterThan(0);
});

for (const mutant of mutants) {
  test(`the mutant ${mutant.rule} goes red: ${mutant.what}`, () => {
    const tree = copyTree();
    try {
      // The control: without the patch the same tests are green, so that red comes from the patch.
      const sound = testsOfRule(tree.path, { ...mutant, build: false });
      expect(sound.length).toBeGreaterThan(0);
      expect(sound.filter(({ result }) => result === "failed")).toEqual([]);
      applyPatch(tree.path, mutant);
      const broken = testsOfRule(tree.path, mutant);
      expect(broken.filter(({ result }) => result === "failed").length).toBeGreaterThan(0);
    } finally {
      tree.remove();
    }
  }, 300_000);
}
