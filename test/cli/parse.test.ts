import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { parse } from "../../src/cli/parse.ts";

const flags = {
  help: { kind: "switch", summary: "" },
  json: { kind: "switch", summary: "" },
  format: { kind: "choice", choices: ["text", "json", "yaml"], summary: "" },
  color: { kind: "switch", on: true, summary: "" },
  yes: { kind: "switch", summary: "" },
  owner: { kind: "text", value: "owner", summary: "" },
  grant: { kind: "text", value: "name", repeated: true, summary: "" },
  trace: { kind: "choice", choices: ["text", "json"], bare: "text", summary: "" },
  timeout: { kind: "duration", summary: "" },
} as const;
const args = { source: { summary: "" }, more: { take: "rest", summary: "" } } as const;
type Args = typeof args;
type Flags = typeof flags;

const read = (...words: string[]) => parse<Args, Flags>("plugin install", args, flags, words).values;

function refusal(...words: string[]): string {
  try {
    read(...words);
  } catch (error) {
    if (error instanceof GumError && error.code === "USAGE") return error.message;
    throw error;
  }
  return "accepted";
}

describe("what is understood", () => {
  test("L4 flags stand before or after arguments, and -- ends them", () => {
    const wanted = { source: "./a", more: ["b"] };
    for (const words of [
      ["--yes", "./a", "b"],
      ["./a", "--yes", "b"],
      ["./a", "b", "--yes"],
      ["./a", "-y", "--", "b"],
    ]) {
      const { args, flags } = read(...words);
      expect([words, args, flags.yes]).toEqual([words, wanted, true]);
    }
    expect(read("./a", "--", "--yes", "--", "-x").args.more).toEqual(["--yes", "--", "-x"]);
    expect(read("./a", "--", "--yes").flags.yes).toBe(false);
  });

  test("a value follows its flag or an equals sign", () => {
    expect(read("a", "--owner", "me").flags.owner).toBe("me");
    expect(read("a", "--owner=me").flags.owner).toBe("me");
    expect(read("a", "--owner=a=b").flags.owner).toBe("a=b");
    expect(read("a", "--owner", "-").flags.owner).toBe("-");
    expect(read("a").flags.owner).toBeUndefined();
  });

  test("--no- turns a switch off", () => {
    expect(read("a").flags.color).toBe(true);
    expect(read("a", "--no-color").flags.color).toBe(false);
    expect(read("a", "--yes", "--no-yes").flags.yes).toBe(false);
  });

  test("a flag with a meaning of its own takes a value only after an equals sign", () => {
    expect(read("--trace", "json").flags.trace).toBe("text");
    expect(read("--trace", "json").args.source).toBe("json");
    expect(read("--trace=json", "a").flags.trace).toBe("json");
    expect(read("a").flags.trace).toBeUndefined();
  });

  test("a repeated flag collects its values in order", () => {
    expect(read("a").flags.grant).toEqual([]);
    expect(read("a", "--grant", "x", "--grant=y").flags.grant).toEqual(["x", "y"]);
  });

  test("a time is a number with or without a unit", () => {
    const ms = (text: string) => read("a", "--timeout", text).flags.timeout;
    expect([ms("250"), ms("500ms"), ms("30s"), ms("2m")]).toEqual([250, 500, 30_000, 120_000]);
  });

  test("with --help nothing else has to be there", () => {
    expect(parse<Args, Flags>("plugin install", args, flags, ["--help"]).help).toBe(true);
  });
});

describe("what is refused", () => {
  const cases: readonly (readonly [words: string[], message: string])[] = [
    [["a", "--ownr", "x"], 'Unknown flag "--ownr": did you mean "--owner"?'],
    [["a", "--no-colour"], 'Unknown flag "--no-colour": did you mean "--no-color"?'],
    [["a", "--zzzzzz"], 'Unknown flag "--zzzzzz".'],
    [["a", "-x"], 'Unknown flag "-x".'],
    [["a", "-owner"], 'Unknown flag "-owner": did you mean "--owner"?'],
    [["a", "--no-owner"], 'Unknown flag "--no-owner": did you mean "--owner"?'],
    [["a", "--constructor"], 'Unknown flag "--constructor".'],
    [["a", "--owner"], "The flag --owner needs a value."],
    [["a", "--owner="], "The flag --owner needs a value."],
    [["a", "--owner", "--yes"], "The flag --owner needs a value."],
    [["a", "--yes=1"], "The flag --yes takes no value."],
    [["a", "--owner", "x", "--owner", "y"], "The flag --owner is given twice."],
    [["a", "--format", "yml"], 'The flag --format takes text, json or yaml, not "yml": did you mean "yaml"?'],
    [["a", "--trace=xml"], 'The flag --trace takes text or json, not "xml".'],
    [["a", "--json", "--format", "yaml"], "--json and --format yaml contradict each other."],
    [["a", "--timeout", "0"], 'The flag --timeout is a time such as 500ms, 30s or 2m, not "0".'],
    [["a", "--timeout", "-5"], 'The flag --timeout is a time such as 500ms, 30s or 2m, not "-5".'],
    [["a", "--timeout", "1h"], 'The flag --timeout is a time such as 500ms, 30s or 2m, not "1h".'],
    [[], "The argument <source> is missing."],
    [[""], "The argument <source> is empty."],
  ];
  for (const [words, message] of cases) {
    test(`L4 ${JSON.stringify(words)} is refused: ${message}`, () => {
      expect(refusal(...words)).toBe(message);
    });
  }

  test("a word too many is named", () => {
    const one = () => parse("plugin info", { id: { summary: "" } }, flags, ["a", "b"]);
    expect(one).toThrow('Nothing is expected after the last argument, but "b" is there.');
  });

  test("an argument outside its choices is refused with the nearest", () => {
    const shell = { shell: { summary: "", choices: ["bash", "zsh", "fish"] } };
    expect(() => parse("completion", shell, flags, ["bsh"])).toThrow(
      'The argument <shell> is bash, zsh or fish, not "bsh": did you mean "bash"?',
    );
  });
});
