// What each wire makes of a line that is not as it should be. Every case is written by a real process; on jsonl all of
// them by the same one, which has to answer a ping after each.
import { afterAll, describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { handshakeLine, jsonlPuppet, openSide, responseLine } from "./lines.ts";
import { endAll } from "./start.ts";

const kib = 1024;
const maxLine = 1024 * kib;

/** "ok", or the name of the failure: on jsonl, for the handshake line, and for the response line. */
type Verdict = readonly [jsonl: string, handshake: string, response: string];
type Case = readonly [name: string, line: (good: string) => string | Uint8Array, verdict: Verdict];

const ok: Verdict = ["ok", "ok", "ok"];
const unreadable: Verdict = ["InvalidJson", "handshake_failed", "malformed_response"];
const misshapen: Verdict = ["InvalidResponse", "handshake_failed", "malformed_response"];
/** jsonl has its answer by then; a side process may say nothing else. */
const tooMuch: Verdict = ["ok", "handshake_failed", "malformed_response"];

const plus = (good: string, member: string): string => `${good.slice(0, -1)},${member}}\n`;
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const padded = (good: string, size: number): string => plus(good, `"pad":"${"x".repeat(size)}"`);

const framing: readonly Case[] = [
  ["a good line", (good) => `${good}\n`, ok],
  ["a line that ends with CRLF", (good) => `${good}\r\n`, ok],
  ["spaces around it", (good) => `  \t${good} \t\n`, ok],
  ["an unknown field", (good) => plus(good, '"jsonrpc":"2.0"'), ok],
  ["an escaped NUL in a nested text", (good) => plus(good, '"x":{"y":["a\\u0000b"]}'), ok],
  ["an unpaired surrogate as an escape", (good) => plus(good, '"x":"\\ud800"'), ok],
  ["a number that is too large for a double", (good) => plus(good, '"x":1e400'), ok],
  ["a number of four hundred digits", (good) => plus(good, `"x":${"9".repeat(400)}`), ok],
  ["a key __proto__", (good) => plus(good, '"__proto__":{"id":7}'), ok],
  ["nesting of a hundred levels", (good) => plus(good, `"x":${nested(100)}`), ok],
  ["a line just short of the limit", (good) => padded(good, maxLine - 200), ok],
  ["a byte order mark", (good) => bytes([0xef, 0xbb, 0xbf], `${good}\n`), unreadable],
  ["UTF-16", (good) => bytes([...Buffer.from(`${good}\n`, "utf16le")]), unreadable],
  ["a byte that is no UTF-8", (good) => bytes(good.slice(0, -1), ',"x":"', [0xff], '"}\n'), unreadable],
  ["an overlong encoding", (good) => bytes(good.slice(0, -1), ',"x":"', [0xc0, 0xaf], '"}\n'), unreadable],
  [
    "an encoded surrogate",
    (good) => bytes(good.slice(0, -1), ',"x":"', [0xed, 0xa0, 0x80], '"}\n'),
    unreadable,
  ],
  ["half of a character", (good) => bytes(good.slice(0, -1), ',"x":"', [0xe2, 0x82], '"}\n'), unreadable],
  ["a raw NUL in a nested text", (good) => plus(good, '"x":{"y":["a\0b"]}'), unreadable],
  ["a NUL in front", (good) => `\0${good}\n`, unreadable],
  ["a NUL behind", (good) => `${good}\0\n`, unreadable],
  ["a raw tab in a text", (good) => plus(good, '"x":"a\tb"'), unreadable],
  ["a form feed between tokens", (good) => `\f${good}\n`, unreadable],
  ["an object that is cut off", (good) => `${good.slice(0, -1)}\n`, unreadable],
  ["one brace too many", (good) => `${good}}\n`, unreadable],
  ["a trailing comma", (good) => `${good.slice(0, -1)},}\n`, unreadable],
  ["single quotes", (good) => `${good.replaceAll('"', "'")}\n`, unreadable],
  ["a comment", (good) => `${good} // done\n`, unreadable],
  ["NaN", (good) => plus(good, '"x":NaN'), unreadable],
  ["a number with a leading zero", (good) => plus(good, '"x":01'), unreadable],
  ["two objects on one line", (good) => `${good}${good}\n`, unreadable],
  ["an empty line alone", () => "\n", unreadable],
  ["spaces alone", () => "   \n", unreadable],
  ["a log line in front", (good) => `starting up\n${good}\n`, unreadable],
  ["a coloured log line in front", (good) => `\u001b[31mhi\u001b[0m\n${good}\n`, unreadable],
  ["an empty line in front", (good) => `\n${good}\n`, unreadable],
  ["Content-Length framing", (good) => `Content-Length: ${good.length}\r\n\r\n${good}\n`, unreadable],
  ["nesting of six hundred levels", (good) => plus(good, `"x":${nested(600)}`), unreadable],
  ["a hundred thousand open brackets", () => `${"[".repeat(100_000)}\n`, unreadable],
  ["a line over the limit", (good) => padded(good, maxLine), unreadable],
  ["a line far over the limit", () => `${"x".repeat(3 * maxLine)}\n`, unreadable],
  ["a list", (good) => `[${good}]\n`, misshapen],
  ["a number", () => "5\n", misshapen],
  ["a text", () => '"ok"\n', misshapen],
  ["null", () => "null\n", misshapen],
  ["true", () => "true\n", misshapen],
  ["an empty object", () => "{}\n", misshapen],
  ["an unknown key twice", (good) => plus(good, '"x":1,"x":1'), misshapen],
  ["the same line twice in one write", (good) => `${good}\n${good}\n`, tooMuch],
  ["a log line behind", (good) => `${good}\ndone\n`, tooMuch],
  ["an empty line behind", (good) => `${good}\n\n`, tooMuch],
  ["the start of another line behind", (good) => `${good}\n{"x"`, tooMuch],
];

type Own = readonly [name: string, line: string, kind: string];

const jsonlOnly: readonly Own[] = [
  ["an id as a text", '{"id":"$ID","result":1}', "InvalidResponse"],
  ["an id with a fraction of nothing", '{"id":$ID.0,"result":1}', "ok"],
  ["an id with a fraction", '{"id":$ID.5,"result":1}', "InvalidResponse"],
  ["no id", '{"result":1}', "InvalidResponse"],
  ["an id that is null", '{"id":null,"result":1}', "InvalidResponse"],
  ["an id that is true", '{"id":true,"result":1}', "InvalidResponse"],
  ["an id that is a list", '{"id":[$ID],"result":1}', "InvalidResponse"],
  ["an id that is infinite", '{"id":1e999,"result":1}', "InvalidResponse"],
  ["an id below the first", '{"id":0,"result":1}', "InvalidResponse"],
  ["an id that is yet to come", '{"id":1000000,"result":1}', "InvalidResponse"],
  ["an id from elsewhere", '{"id":"abc","result":1}', "InvalidResponse"],
  ["an id twice", '{"id":$ID,"id":$ID,"result":1}', "InvalidResponse"],
  ["an id twice, once escaped", '{"id":$ID,"\\u0069d":7,"result":1}', "InvalidResponse"],
  ["a result twice", '{"id":$ID,"result":1,"result":2}', "InvalidResponse"],
  ["a result and an error", '{"id":$ID,"result":1,"error":{"code":1,"message":"x"}}', "InvalidResponse"],
  [
    "a result that is null and an error",
    '{"id":$ID,"result":null,"error":{"code":1,"message":"x"}}',
    "InvalidResponse",
  ],
  ["a result and an error that is null", '{"id":$ID,"result":1,"error":null}', "InvalidResponse"],
  ["neither", '{"id":$ID}', "InvalidResponse"],
  ["a request of its own", '{"id":$ID,"method":"ping"}', "InvalidResponse"],
  ["a result that is null", '{"id":$ID,"result":null}', "ok"],
  ["a result that is false", '{"id":$ID,"result":false}', "ok"],
  ["an error", '{"id":$ID,"error":{"code":-32601,"message":"x"}}', "ok"],
  ["an error with data", '{"id":$ID,"error":{"code":7,"message":"","data":[1]}}', "ok"],
  ["an error that is null", '{"id":$ID,"error":null}', "InvalidResponse"],
  ["an error that is a text", '{"id":$ID,"error":"x"}', "InvalidResponse"],
  ["an error that is a list", '{"id":$ID,"error":[1,"x"]}', "InvalidResponse"],
  ["an error without a code", '{"id":$ID,"error":{"message":"x"}}', "InvalidResponse"],
  ["a code that is a text", '{"id":$ID,"error":{"code":"1","message":"x"}}', "InvalidResponse"],
  ["a code with a fraction", '{"id":$ID,"error":{"code":1.5,"message":"x"}}', "InvalidResponse"],
  ["a code that is too large", '{"id":$ID,"error":{"code":1e30,"message":"x"}}', "InvalidResponse"],
  ["an error without a message", '{"id":$ID,"error":{"code":1}}', "InvalidResponse"],
  ["a message that is a number", '{"id":$ID,"error":{"code":1,"message":2}}', "InvalidResponse"],
  ["a message that is null", '{"id":$ID,"error":{"code":1,"message":null}}', "InvalidResponse"],
  ["a code twice", '{"id":$ID,"error":{"code":1,"code":2,"message":"x"}}', "InvalidResponse"],
];

const responseOnly: readonly Own[] = [
  ["no type", '{"request_id":"$ID","status":"ok","output":1}', "malformed_response"],
  ["another type", '{"type":"handshake","request_id":"$ID","status":"ok"}', "malformed_response"],
  ["no request_id", '{"type":"response","status":"ok","output":1}', "malformed_response"],
  ["another request_id", '{"type":"response","request_id":"x$ID","status":"ok"}', "malformed_response"],
  ["a request_id that is a number", '{"type":"response","request_id":1,"status":"ok"}', "malformed_response"],
  [
    "a request_id twice",
    '{"type":"response","request_id":"x","request_id":"$ID","status":"ok"}',
    "malformed_response",
  ],
  ["no status", '{"type":"response","request_id":"$ID","output":1}', "malformed_response"],
  [
    "an unknown status",
    '{"type":"response","request_id":"$ID","status":"OK","output":1}',
    "malformed_response",
  ],
  [
    "a status that is true",
    '{"type":"response","request_id":"$ID","status":true,"output":1}',
    "malformed_response",
  ],
  [
    "ok with an error",
    '{"type":"response","request_id":"$ID","status":"ok","error":{"code":"a","message":"b"}}',
    "malformed_response",
  ],
  [
    "ok with an error that is null",
    '{"type":"response","request_id":"$ID","status":"ok","output":1,"error":null}',
    "ok",
  ],
  ["ok without output", '{"type":"response","request_id":"$ID","status":"ok"}', "ok"],
  ["error without an error", '{"type":"response","request_id":"$ID","status":"error"}', "malformed_response"],
  [
    "error with null",
    '{"type":"response","request_id":"$ID","status":"error","error":null}',
    "malformed_response",
  ],
  [
    "error with a text",
    '{"type":"response","request_id":"$ID","status":"error","error":"x"}',
    "malformed_response",
  ],
  [
    "an error without a code",
    '{"type":"response","request_id":"$ID","status":"error","error":{"message":"b"}}',
    "malformed_response",
  ],
  [
    "a code that is a number",
    '{"type":"response","request_id":"$ID","status":"error","error":{"code":1,"message":"b"}}',
    "malformed_response",
  ],
  [
    "an empty code",
    '{"type":"response","request_id":"$ID","status":"error","error":{"code":"","message":"b"}}',
    "malformed_response",
  ],
  [
    "an error without a message",
    '{"type":"response","request_id":"$ID","status":"error","error":{"code":"a"}}',
    "malformed_response",
  ],
  [
    "a code twice",
    '{"type":"response","request_id":"$ID","status":"error","error":{"code":"a","code":"b","message":"c"}}',
    "malformed_response",
  ],
  [
    "an error",
    '{"type":"response","request_id":"$ID","status":"error","error":{"code":"a","message":"b"}}',
    "ok",
  ],
];

afterAll(endAll);

/** How a promise ended: "ok" or the name of the failure. */
async function kindOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "ok";
  } catch (error) {
    if (error instanceof GumError) return error.info.failureCode ?? error.code;
    throw error;
  }
}

test("the table has more than sixty lines that are no good, and each wire its share", () => {
  const bad = framing.filter(([, , verdict]) => verdict !== ok).length;
  expect([bad >= 35, jsonlOnly.length >= 30, responseOnly.length >= 20]).toEqual([true, true, true]);
});

describe("jsonl", () => {
  const puppet = jsonlPuppet({ maxLineBytes: maxLine });
  const good = '{"id":$ID,"result":1}';
  const cases = [
    ...framing.map(([name, line, [kind]]) => [name, line(good), kind] as const),
    ...jsonlOnly.map(([name, line, kind]) => [name, `${line}\n`, kind] as const),
  ];
  const expectedCodes: Readonly<Record<string, number>> = { InvalidJson: -32700, InvalidResponse: -32600 };

  test.each(cases)("W13 %s is told by its kind, and the process goes on", async (_, line, kind) => {
    const error = await puppet.say(line).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (kind === "ok") {
      expect(error).toBeUndefined();
    } else {
      if (!(error instanceof GumError)) throw new Error(`Expected ${kind}, not ${String(error)}`);
      const { failureCode, details } = error.info;
      expect([failureCode, error.code, details?.rpc_code]).toEqual([
        kind,
        "SERVICE_DOWN",
        expectedCodes[kind],
      ]);
      expect(Buffer.byteLength(String(details?.raw_line))).toBeLessThanOrEqual(4 * kib + 2);
      expect(details?.cause).toBeUndefined();
    }
    if (line.at(-1) !== "\n" && line.at(-1) !== 0x0a) await puppet.say("\n").catch(() => undefined);
    const { reply } = await puppet.session.exchange("ping", undefined, { timeoutMs: 5000 });
    expect("result" in reply && reply.result).toBe("pong");
    expect(puppet.started.length).toBe(1);
  });
});

describe("the handshake line", () => {
  const cases = framing.map(([name, line, [, kind]]) => [name, line(handshakeLine()), kind] as const);
  test.concurrent.each(cases)("W17 %s is told by its code", async (_, first, kind) => {
    const call = async () => (await openSide({ first })).call("echo", {}, { timeoutMs: 5000 });
    expect(await kindOf(call())).toBe(kind);
  });
});

describe("the response line", () => {
  const cases = [
    ...framing.map(([name, line, [, , kind]]) => [name, line(responseLine), kind] as const),
    ...responseOnly.map(([name, line, kind]) => [name, `${line}\n`, kind] as const),
  ];
  test.concurrent.each(cases)("W17 %s is told by its code", async (_, second, kind) => {
    const call = async () => (await openSide({ second })).call("echo", {}, { timeoutMs: 5000 });
    expect(await kindOf(call())).toBe(kind);
  });
});
