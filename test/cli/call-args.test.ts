import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { readCallArguments } from "../../src/cli/call-args.ts";
import { createFakeHost } from "../fakes/fake-host.ts";

const files = {
  "/home/user/args.json": '{"a":1,"b":"x"}',
  "/home/user/list.json": "[1]",
  "/home/user/letter.txt": "Dear\nAda\n",
  "/home/user/binary": new Uint8Array([0xff, 0xfe]),
};

const read = (words: readonly string[], input = "") =>
  readCallArguments("plugin run", words, createFakeHost({ files, terminal: { input } }));

describe("how arguments are written", () => {
  const cases: readonly (readonly [words: string[], expected: Record<string, unknown>])[] = [
    [[], {}],
    [['{"n":1,"deep":{"x":[true,null]}}'], { n: 1, deep: { x: [true, null] } }],
    [[' {"n":1}'], { n: 1 }],
    [["name=Ada"], { name: "Ada" }],
    [["name="], { name: "" }],
    [["q=a=b:=c"], { q: "a=b:=c" }],
    [["n:=3", "ok:=true", 'list:=["a"]', 'at:="@x"'], { n: 3, ok: true, list: ["a"], at: "@x" }],
    [["text=@letter.txt"], { text: "Dear\nAda\n" }],
    [["@args.json"], { a: 1, b: "x" }],
    [["@/home/user/args.json", "b=y", "c:=2"], { a: 1, b: "y", c: 2 }],
    [["b=y", "@args.json"], { a: 1, b: "y" }],
    [["x:y=1"], { "x:y": "1" }],
  ];
  for (const [words, expected] of cases) {
    test(`D6 ${JSON.stringify(words)}`, async () => {
      expect(await read(words)).toEqual(expected);
    });
  }

  test("D6 - is an object on standard input", async () => {
    expect(await read(["-", "b:=2"], '{"a":1,"b":1}\n')).toEqual({ a: 1, b: 2 });
  });

  test("D6 a key that is special in JavaScript is a key like any other", async () => {
    const args = await read(['{"__proto__":{"x":1}}', "constructor=c"]);
    expect(JSON.stringify(args)).toBe('{"__proto__":{"x":1},"constructor":"c"}');
  });
});

describe("what is refused", () => {
  const cases: readonly (readonly [words: string[], message: string])[] = [
    [["name"], '"name" is no argument: write key=value, key:=json, @file.json or a JSON object.'],
    [["=x"], '"=x" is no argument: write key=value, key:=json, @file.json or a JSON object.'],
    [[":=1"], '":=1" is no argument: write key=value, key:=json, @file.json or a JSON object.'],
    [["n:=three"], 'The argument "n" is not JSON.'],
    [["a=1", "a=2"], 'The argument "a" is given twice.'],
    [["{}", "@args.json"], "The arguments are given as a whole twice."],
    [["{"], "The argument text is not JSON."],
    [["[1]"], "The argument text is not a JSON object."],
    [["@list.json"], "The file list.json is not a JSON object."],
    [["@absent.json"], "The file absent.json is not there."],
    [["a=@absent"], "The file absent is not there."],
    [["a=@binary"], "The file binary is not UTF-8."],
    [["a=@/home"], "The file /home cannot be read."],
    [["-"], "Standard input is not JSON."],
  ];
  for (const [words, message] of cases) {
    test(`D6 ${JSON.stringify(words)} is refused: ${message}`, async () => {
      const refused = await read(words).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(GumError);
      expect(refused).toMatchObject({ code: "USAGE", message });
    });
  }
});
