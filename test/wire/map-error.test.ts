import { expect, test } from "bun:test";
import { mapPluginError } from "../../src/wire/map-error.ts";

function mapped(code: string | null, retryable: boolean, retryAfterMs?: number): unknown {
  const error = mapPluginError({ code, message: "said", retryable, retryAfterMs });
  const { retryable: retry, retryAfterMs: after, sourceErrorCode } = error.info;
  return [error.code, retry, after, sourceErrorCode, error.message];
}

const rows = [
  ["RATE_LIMIT", true, 5000, "RATE_LIMITED", true, 5000],
  ["RATE_LIMIT", false, 5000, "RATE_LIMITED", false, 5000],
  ["RATE_LIMIT", true, 0, "RATE_LIMITED", true, undefined],
  ["RATE_LIMIT", true, -1, "RATE_LIMITED", true, undefined],
  ["AUTH_EXPIRED", true, 5000, "AUTH_REQUIRED", false, undefined],
  ["PARSE_FAILURE", true, 5000, "SERVICE_DOWN", true, undefined],
  ["PARSE_FAILURE", false, undefined, "SERVICE_DOWN", false, undefined],
  ["SERVICE_DOWN", true, 5000, "SERVICE_DOWN", true, 5000],
  ["INVALID_INPUT", true, 5000, "INVALID_ARGS", false, undefined],
  ["RATE_LIMITED", true, 5000, "SERVICE_DOWN", false, undefined],
  ["AUTH_REQUIRED", true, 5000, "SERVICE_DOWN", false, undefined],
  ["rate_limit", true, 5000, "SERVICE_DOWN", false, undefined],
  ["constructor", true, 5000, "SERVICE_DOWN", false, undefined],
  ["QUOTA", true, 5000, "SERVICE_DOWN", false, undefined],
  [null, true, 5000, "SERVICE_DOWN", false, undefined],
] as const;

for (const [said, retryable, after, code, retry, wait] of rows) {
  test(`W9 ${said} with retryable ${retryable} and retry_after_ms ${after} becomes ${code}`, () => {
    expect(mapped(said, retryable, after)).toEqual([code, retry, wait, said, "said"]);
  });
}

test("W9 the message loses its control characters and is cut at 2,000 characters", () => {
  const message = (said: string) => mapPluginError({ code: "X", message: said, retryable: false }).message;
  expect(message("red \u001b[31m text\u202e and \u0000 more")).toBe(
    "red \\x1b[31m text\\u{202e} and \\x00 more",
  );
  expect(message("two\nlines")).toBe("two\nlines");
  const long = message("é".repeat(5000));
  expect([...long].length).toBe(2000);
  expect(long.endsWith("é…")).toBe(true);
  expect([...message("😀".repeat(2000))].length).toBe(2000);
  expect(message("😀".repeat(2000))).toBe("😀".repeat(2000));
});

test("W9 an empty message is replaced by a sentence", () => {
  expect(mapPluginError({ code: null, message: " ", retryable: false }).message).toBe(
    "The plugin failed without a message.",
  );
});
