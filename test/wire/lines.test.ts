import { expect, test } from "bun:test";
import { readFrames } from "../../src/wire/frames.ts";
import { LineReader } from "../../src/wire/line-reader.ts";
import { Tail } from "../../src/wire/tail.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function read(
  maxBytes: number,
  chunks: readonly Uint8Array[],
): { lines: string[]; fault?: unknown; rest: string } {
  const lines: string[] = [];
  const seen: { fault?: unknown } = {};
  const reader = new LineReader(maxBytes, {
    line: (text) => lines.push(text),
    fault: (fault, sample) => {
      seen.fault = [fault, sample];
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, ...seen, rest: reader.unfinished };
}

test("W2 lines are the same however the bytes are cut", () => {
  const text = 'one\r\n\ntwo "é😀"\nthree';
  const whole = bytes(text);
  const expected = { lines: ["one", "", 'two "é😀"'], rest: "three" };
  for (let size = 1; size <= whole.length; size++) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
    expect(read(100, chunks)).toEqual(expected);
  }
});

test("W2 a line of exactly the limit is read, with either line ending, and one byte more is not", () => {
  expect(read(5, [bytes("12345\n")]).lines).toEqual(["12345"]);
  expect(read(5, [bytes("12345\r\n")]).lines).toEqual(["12345"]);
  expect(read(5, [bytes("123"), bytes("45\r"), bytes("\n")]).lines).toEqual(["12345"]);
  expect(read(5, [bytes("123456\n")])).toEqual({ lines: [], fault: ["too_long", "123456"], rest: "" });
  expect(read(5, [bytes("123"), bytes("456\n")]).fault).toEqual(["too_long", "123456"]);
  expect(read(5, [bytes("1234567")]).fault).toEqual(["too_long", "1234567"]);
});

test("W2 invalid UTF-8 and NUL are faults, and nothing is read after one", () => {
  const good = bytes("good\n");
  expect(read(99, [good, new Uint8Array([0x61, 0xff, 0x0a]), good])).toMatchObject({
    lines: ["good"],
    rest: "",
  });
  expect(read(99, [new Uint8Array([0x61, 0xff, 0x0a])]).fault).toEqual(["not_utf8", "a\ufffd"]);
  expect(read(99, [new Uint8Array([0x61, 0, 0x0a]), good])).toEqual({
    lines: [],
    fault: ["nul", "a\0"],
    rest: "",
  });
});

test("W2 a peer that writes single bytes costs no more than the line", () => {
  const reader = new LineReader(1 << 20, { line: () => undefined, fault: () => undefined });
  const one = new Uint8Array([0x61]);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  for (let n = 0; n < 1_000_000; n++) reader.push(one);
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  expect(reader.unfinished.length).toBe(512);
});

test("W1 the tail keeps the last bytes, and whole characters only", () => {
  const tail = new Tail(8);
  tail.push(bytes("abc"));
  expect(tail.text()).toBe("abc");
  tail.push(bytes("defghij"));
  expect(tail.text()).toBe("cdefghij");
  tail.push(bytes("0123456789ABCDEF"));
  expect(tail.text()).toBe("89ABCDEF");
  tail.push(bytes("ééééx"));
  expect(tail.text()).toBe("éééx");
  expect(tail.total).toBe(35);
});

test("W2 a line that is JSON-RPC gives its messages without unknown fields", () => {
  expect(readFrames('{"jsonrpc":"2.0","id":1,"result":null,"extra":1}')).toEqual([
    { kind: "result", id: 1, value: null },
  ]);
  expect(readFrames('{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":7}}')).toEqual([
    { kind: "error", id: 1, error: { code: -32603, message: "" } },
  ]);
  expect(
    readFrames('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":"x","method":"b","params":{"p":1}}]'),
  ).toEqual([
    { kind: "notification", method: "a", params: undefined },
    { kind: "request", id: "x", method: "b", params: { p: 1 } },
  ]);
});

test("W5 a line that is not JSON-RPC gives no message", () => {
  for (const line of [
    "hello",
    "7",
    "null",
    "[]",
    "{}",
    '{"level":"info"}',
    '{"id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
    '{"jsonrpc":"2.0","id":{},"method":"x"}',
    '[{"jsonrpc":"2.0","method":"a"},7]',
  ]) {
    expect([line, "fault" in readFrames(line)]).toEqual([line, true]);
  }
});

test("W2 nesting is counted outside of strings only", () => {
  const message = (value: string) => `{"jsonrpc":"2.0","id":1,"result":${value}}`;
  expect(readFrames(message(`"${"[".repeat(5000)}\\\\"`))).toHaveLength(1);
  expect(readFrames(message(`"\\"${"[".repeat(5000)}"`))).toHaveLength(1);
  expect(readFrames(message("[".repeat(500) + "]".repeat(500)))).toHaveLength(1);
  expect(readFrames(message("[".repeat(600) + "]".repeat(600)))).toEqual({ fault: "too_deep" });
});
