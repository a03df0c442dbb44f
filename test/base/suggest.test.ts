import { describe, expect, test } from "bun:test";
import { didYouMean, nearest, nearestNames } from "../../src/base/suggest.ts";

describe("what may have been meant", () => {
  const steps = ["hash", "stage", "deny-env", "gate-shape", "publish-generation"];
  test.each([
    ["hsah", "hash"],
    ["deny_env", "deny-env"],
    ["Stage", "stage"],
    ["gate-shap", "gate-shape"],
    ["publish-generatoin", "publish-generation"],
  ])("%s is near %s", (word, expected) => {
    expect(nearest(word, steps)).toBe(expected);
  });
  test("nothing is near a word that resembles none", () => {
    expect(nearest("xylophone", steps)).toBeUndefined();
    expect(didYouMean("xylophone", steps)).toBe("");
  });
  test("the nearest comes first", () => {
    expect(nearestNames("hase", ["hashes", "haste", "hash"], 2)).toEqual(["hash", "haste"]);
  });
  test("the sentence ends in a question", () => {
    expect(didYouMean("hsah", steps)).toBe(': did you mean "hash"?');
  });
});
