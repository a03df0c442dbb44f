import { describe, expect, test } from "bun:test";
import { disappointments } from "../../src/model/canary-verdict.ts";

const outcome = {
  isError: false,
  payload: { success: true, data: { items: [{ id: 1 }], none: null } },
  latencyMs: 20,
};

describe("C3 what a canary expects", () => {
  test("C3 without an expectation a call must not fail", () => {
    expect(disappointments(null, outcome)).toEqual([]);
    expect(disappointments(null, { ...outcome, isError: true })).toEqual(["the call failed"]);
  });
  test("C3 is_error asks for an error", () => {
    expect(disappointments({ is_error: true }, { ...outcome, isError: true })).toEqual([]);
    expect(disappointments({ is_error: true }, outcome)).toEqual([
      "the call succeeded, and an error was expected",
    ]);
  });
  test("C3 has finds dot paths, through arrays and null values", () => {
    expect(disappointments({ has: ["data.items.0.id", "data.none"] }, outcome)).toEqual([]);
    expect(disappointments({ has: ["data.items.1", "toString"] }, outcome)).toEqual([
      'the result has no "data.items.1"',
      'the result has no "toString"',
    ]);
  });
  test("C3 equals compares values, not spelling", () => {
    expect(disappointments({ equals: { "data.items": [{ id: 1 }] } }, outcome)).toEqual([]);
    expect(disappointments({ equals: { "data.items.0.id": "1", "data.x": 1 } }, outcome)).toEqual([
      '"data.items.0.id" is not "1"',
      'the result has no "data.x"',
    ]);
  });
  test("C3 max_ms bounds the call", () => {
    expect(disappointments({ max_ms: 20 }, outcome)).toEqual([]);
    expect(disappointments({ max_ms: 19 }, outcome)).toEqual(["the call took 20 ms, and 19 ms are allowed"]);
  });
});
