import { expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { readAnswer } from "../../src/wire/answer.ts";

const text = (value: unknown) => ({
  type: "text",
  text: typeof value === "string" ? value : JSON.stringify(value),
});

test("W8 an envelope with success passes through as it is, with its text", () => {
  const body = '{"success":true,"data":{"b":1,"a":9007199254740993},"note":"kept"}';
  expect(readAnswer({ content: [text(body)] })).toEqual({
    ok: true,
    payload: { success: true, data: { b: 1, a: 2 ** 53 }, note: "kept" },
    text: body,
  });
});

test("W8 the first text block that is an envelope is the payload, whatever stands before it", () => {
  const answer = readAnswer({
    content: [
      text("working on it"),
      text({ success: "yes", data: 1 }),
      text({ success: true }),
      text({ success: true, data: "this" }),
      text({ success: false, error_code: "NOT_THIS" }),
    ],
  });
  expect(answer).toMatchObject({ ok: true, payload: { success: true, data: "this" } });
});

test("W8 success:false is a plugin-local error with and without isError", () => {
  const body = {
    success: false,
    error_code: "AUTH_EXPIRED",
    error: "log in again",
    retryable: true,
    retry_after_ms: 20,
  };
  const expected = {
    ok: false,
    error: { code: "AUTH_EXPIRED", message: "log in again", retryable: true, retryAfterMs: 20 },
  } as const;
  expect(readAnswer({ content: [text(body)], isError: true })).toEqual(expected);
  expect(readAnswer({ content: [text(body)], isError: false })).toEqual(expected);
  expect(readAnswer({ content: [text(body)] })).toEqual(expected);
});

test("W8 an absent or non-boolean retryable is false", () => {
  for (const retryable of [undefined, "true", 1]) {
    const answer = readAnswer({
      content: [text({ success: false, error_code: "RATE_LIMIT", error: "x", retryable })],
    });
    expect(answer).toEqual({ ok: false, error: { code: "RATE_LIMIT", message: "x", retryable: false } });
  }
});

test("W8 success:false with data and no code is an error without a code", () => {
  expect(readAnswer({ content: [text({ success: false, data: null, message: "no luck" })] })).toEqual({
    ok: false,
    error: { code: null, message: "no luck", retryable: false },
  });
});

test("W8 isError with anything else, also success:true, is an error without a code and with the text", () => {
  const wanted = (message: string) =>
    ({ ok: false, error: { code: null, message, retryable: false } }) as const;
  expect(readAnswer({ content: [text("boom")], isError: true })).toEqual(wanted("boom"));
  expect(readAnswer({ content: [text("a"), text("b")], isError: true })).toEqual(wanted("a\nb"));
  expect(readAnswer({ content: [text('{"success":true,"data":1}')], isError: true })).toEqual(
    wanted('{"success":true,"data":1}'),
  );
  expect(readAnswer({ content: [], structuredContent: { a: 1 }, isError: true })).toEqual(wanted(""));
});

test("W5 success:true beside an error code and without data is no success", () => {
  expect(readAnswer({ content: [text({ success: true, error_code: "ODD" })] })).toMatchObject({
    ok: false,
    error: { code: "ODD" },
  });
});

test("W8 plain text is wrapped, several texts as lines", () => {
  expect(readAnswer({ content: [text("words")] })).toEqual({
    ok: true,
    payload: { success: true, data: "words" },
  });
  expect(readAnswer({ content: [text("one"), text("two")] })).toEqual({
    ok: true,
    payload: { success: true, data: "one\ntwo" },
  });
  expect(readAnswer({ content: [text("17")] })).toEqual({ ok: true, payload: { success: true, data: "17" } });
});

test("W8 a text that is a JSON object or list without an envelope is wrapped as data", () => {
  expect(readAnswer({ content: [text({ z: 1, a: [2] })] })).toEqual({
    ok: true,
    payload: { success: true, data: { z: 1, a: [2] } },
  });
  expect(readAnswer({ content: [text("[1,2]")] })).toEqual({
    ok: true,
    payload: { success: true, data: [1, 2] },
  });
  expect(readAnswer({ content: [text("{not json")] })).toMatchObject({ payload: { data: "{not json" } });
});

test("W8 structuredContent is wrapped, its repetition as text is dropped, other text is kept", () => {
  expect(readAnswer({ content: [text('{ "b": 2, "a": 1 }')], structuredContent: { a: 1, b: 2 } })).toEqual({
    ok: true,
    payload: { success: true, data: { a: 1, b: 2 } },
  });
  expect(readAnswer({ content: [text("a table follows")], structuredContent: { a: 1 } })).toEqual({
    ok: true,
    payload: { success: true, data: { a: 1 } },
    content: [text("a table follows")],
  });
  expect(readAnswer({ structuredContent: { a: 1 } })).toEqual({
    ok: true,
    payload: { success: true, data: { a: 1 } },
  });
});

test("W8 an envelope in structuredContent counts, so that its failure is no success", () => {
  expect(
    readAnswer({ content: [], structuredContent: { success: false, error_code: "RATE_LIMIT" } }),
  ).toEqual({
    ok: false,
    error: { code: "RATE_LIMIT", message: "", retryable: false },
  });
  expect(readAnswer({ content: [], structuredContent: { success: true, data: 1 } })).toEqual({
    ok: true,
    payload: { success: true, data: 1 },
  });
});

test("W8 other and unknown blocks are kept in content", () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const link = { type: "resource_link", uri: "x://y", name: "y" };
  const odd = { type: "hologram" };
  expect(readAnswer({ content: [image, text({ success: true, data: 1 }), link, odd, "bare"] })).toMatchObject(
    {
      payload: { success: true, data: 1 },
      content: [image, link, odd, "bare"],
    },
  );
  expect(readAnswer({ content: [image] })).toEqual({
    ok: true,
    payload: { success: true, data: null },
    content: [image],
  });
});

test("W5 what is not a tool result is thrown as SERVICE_DOWN", () => {
  for (const value of [null, 7, "text", [], {}, { content: "text" }, { content: [], isError: "true" }]) {
    let code: unknown;
    try {
      readAnswer(value);
    } catch (error) {
      code = error instanceof GumError ? error.code : error;
    }
    expect({ value, code }).toEqual({ value, code: "SERVICE_DOWN" });
  }
});

test("W5 text that nests without end is text, not data", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect(readAnswer({ content: [text(deep)] })).toEqual({ ok: true, payload: { success: true, data: deep } });
});
