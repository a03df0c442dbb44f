import { describe, expect, test } from "bun:test";
import { SecretLine } from "../../src/host/secret-line.ts";

/** Feeds the parts one after the other; what the last one gave. */
function typed(...parts: string[]) {
  const line = new SecretLine();
  return parts.map((part) => line.feed(part)).at(-1);
}

describe("a value that is typed unseen", () => {
  test("T16 Enter ends it, whatever the terminal sends for it, and what follows is left for the next question", () => {
    for (const enter of ["\r", "\n", "\r\n"]) {
      expect(typed("abc", `d${enter}next`)).toEqual({ kind: "line", value: "abcd", rest: "next" });
    }
    expect(typed("abc")).toEqual({ kind: "more" });
  });

  test("T16 backspace takes one character, also a wide one, and Ctrl-U takes all", () => {
    expect(typed("ab\u007f\b\b\u007fxü🔑\u007fz\r")).toMatchObject({ value: "xüz" });
    expect(typed("abc\u0015d\r")).toMatchObject({ value: "d" });
  });

  test("T16 a marked paste keeps its line breaks but the last, however it is cut into pieces", () => {
    expect(typed("\u001b[200~one\r\ntwo\rthree\n\u001b[201~", "\r")).toMatchObject({
      value: "one\ntwo\nthree",
    });
    const bytes = [..."\u001b[200~k\u001b[31mey\n\u001b[201~\r"];
    expect(typed(...bytes)).toMatchObject({ value: "k\u001b[31mey" });
  });

  test("T16 Ctrl-C interrupts and Ctrl-D ends, and a key such as an arrow is no part of a value", () => {
    expect(typed("abc", "\u0003")).toEqual({ kind: "interrupt" });
    expect(typed("\u0004")).toEqual({ kind: "end" });
    expect(typed("a\u0004b\r")).toMatchObject({ value: "ab" });
    expect(typed("a\u001b[Ab\u001bOPc\u001b", "[3", "~d\t\u0001\r")).toMatchObject({ value: "abcd" });
  });
});
