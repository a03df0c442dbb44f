import { expect, test } from "bun:test";
import type { ErrorCode } from "../../src/base/error-codes.ts";
import { GumError } from "../../src/base/errors.ts";
import {
  compactJson,
  envelopeText,
  type FailureContext,
  failureEnvelope,
  hintOf,
  payloadText,
} from "../../src/model/envelope.ts";

const meta = {
  op_id: "plug.hello.greet",
  variant_id: "hello.greet",
  plugin: "hello",
  version: "1.0.0",
  duration_ms: 4,
};

test("D8 a failure has exactly the fields that apply", () => {
  expect(JSON.stringify(failureEnvelope(new GumError("USAGE", "No.")))).toBe(
    '{"success":false,"error_code":"USAGE","error":"No.","retryable":false,"plugin":null,"op_id":null,"hint":"see `gum help`"}',
  );
  const full = new GumError("RATE_LIMITED", "Slow.", {
    retryable: true,
    retryAfterMs: 250,
    sourceErrorCode: null,
    failureCode: "timeout",
    hint: "wait",
    details: { a: 1 },
  });
  expect(failureEnvelope(full, { plugin: "hello", op_id: "plug.hello.greet" })).toEqual({
    success: false,
    error_code: "RATE_LIMITED",
    error: "Slow.",
    retryable: true,
    retry_after_ms: 250,
    source_error_code: null,
    failure_code: "timeout",
    plugin: "hello",
    op_id: "plug.hello.greet",
    hint: "wait",
    details: { a: 1 },
  });
});

test("M41 the place of a single fault stands in details, and findings stay as they are", () => {
  const at = { file: "manifest.json", line: 2, column: 3 };
  expect(failureEnvelope(new GumError("PLUGIN_MANIFEST_INVALID", "X.", { at })).details).toEqual({ at });
  const findings = [{ code: "PLUGIN_MANIFEST_INVALID", message: "X.", at }];
  const several = new GumError("PLUGIN_MANIFEST_INVALID", "X.", { at, details: { findings } });
  expect(failureEnvelope(several).details).toEqual({ findings });
});

test("D8 the payload is the plugin's own, compact, with its key order and its digits", () => {
  const text =
    '{ "success" : true,\n\t"data": {"2": 12345678901234567890, "1": 1.10, "s": "a \\" b : , \\u00e9" } }';
  const payload = JSON.parse(text);
  const compact = '{"success":true,"data":{"2":12345678901234567890,"1":1.10,"s":"a \\" b : , \\u00e9"}}';
  expect(payloadText({ success: true, payload, text, meta })).toBe(compact);
  expect(payloadText({ success: true, payload: { success: true, data: [1] }, meta })).toBe(
    '{"success":true,"data":[1]}',
  );
});

test("D8 with --meta the envelope ends with _meta", () => {
  const text = '{"success":true, "data":9007199254740993}';
  const tail =
    '"_meta":{"op_id":"plug.hello.greet","variant_id":"hello.greet","plugin":"hello","version":"1.0.0","duration_ms":4}}';
  expect(envelopeText({ success: true, payload: JSON.parse(text), text, meta })).toBe(
    `{"success":true,"data":9007199254740993,${tail}`,
  );
  const own = { success: true, data: 1, _meta: { plugin: "liar" } };
  expect(envelopeText({ success: true, payload: own, text: JSON.stringify(own), meta })).toBe(
    `{"success":true,"data":1,${tail}`,
  );
});

test("W8 blocks beside the payload stand in content, unless the plugin has a content of its own", () => {
  const content = [{ type: "image", data: "AA==" }];
  const payload = { success: true, data: 1 };
  const beside = '"content":[{"type":"image","data":"AA=="}]';
  expect(payloadText({ success: true, payload, content, meta })).toBe(`{"success":true,"data":1,${beside}}`);
  expect(envelopeText({ success: true, payload, content, meta })).toStartWith(
    `{"success":true,"data":1,${beside},"_meta":{`,
  );
  const own = { ...payload, content: "mine" };
  expect(payloadText({ success: true, payload: own, content, meta })).toBe(JSON.stringify(own));
  const both = { ...own, _meta: {} };
  expect(JSON.parse(envelopeText({ success: true, payload: both, content, meta })).content).toBe("mine");
});

test("white space inside strings survives, also in a very long one", () => {
  const long = `"${"x \\n".repeat(500_000)}"`;
  expect(compactJson(` [ ${long} ,\r\n "a  b" ] `)).toBe(`[${long},"a  b"]`);
});

test("L2 a hint names the plugin and the operation that it is about", () => {
  const hint = (code: ErrorCode, details: Record<string, unknown>, context: FailureContext) =>
    hintOf(new GumError(code, "No.", { details }), context);
  expect(hint("AUTH_REQUIRED", {}, { plugin: "fli" })).toBe("run `gum plugin setup fli`");
  expect(hint("AUTH_REQUIRED", { plugin: "fli" }, { asked: { plugin: "typed" } })).toBe(
    "run `gum plugin setup fli`",
  );
  expect(hint("AUTH_REQUIRED", {}, { asked: { plugin: "typed" } })).toBe("run `gum plugin setup typed`");
  expect(hint("INVALID_ARGS", {}, { op_id: "fli.search" })).toBe("see `gum describe fli.search`");
  expect(hint("VARIANT_NOT_FOUND", { op_id: "a.b" }, {})).toBe("see `gum describe a.b`");
});
