import { expect, test } from "bun:test";
import { splitWords } from "../../src/cli/split-words.ts";

test.each([
  ["a=1 b:=2", ["a=1", "b:=2"]],
  ["  a=1\t b=2  ", ["a=1", "b=2"]],
  ["name='Ada Lovelace' city=\"New York\"", ["name=Ada Lovelace", "city=New York"]],
  ['list:=["a","b"]', ["list:=[a,b]"]],
  [`list:='["a","b"]'`, ['list:=["a","b"]']],
  ["a=x\\ y b=\\+1d", ["a=x y", "b=+1d"]],
  ['a="say \\"hi\\""', ['a=say "hi"']],
  ["", []],
])("C4 %j is split as a shell splits it", (text, words) => {
  expect(splitWords("canary", text)).toEqual(words);
});

test("C4 a quote that does not end is a mistake of the caller", () => {
  for (const text of ["a='b", 'a="b', "a=b'"]) {
    expect(() => splitWords("canary", text)).toThrow("does not end");
  }
});
