import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { matches } from "./match.ts";
import { playStory } from "./play.ts";
import { readStory } from "./story.ts";

const files = [...new Glob("*.txt").scanSync("test/script")].toSorted();
const stories = await Promise.all(
  files.map(async (file) => ({ file, ...readStory(await Bun.file(`test/script/${file}`).text()) })),
);

describe("stories", () => {
  for (const { file, ...story } of stories) {
    test(story.title, async () => {
      const played = await playStory(story).then(
        () => "as written",
        (error: unknown) => `${file}: ${error instanceof Error ? error.message : String(error)}`,
      );
      expect(played).toBe("as written");
    });
  }
});

describe("the language of stories", () => {
  test("commands, streams and directives are read with their lines", () => {
    const text =
      "# A title\n\nfile a/b +x\n| one\n|\n$ X='1 2' gum run \"a b\"\n< in\n> out\n2> err\nexit 3\n! exists c\n";
    expect(readStory(text)).toEqual({
      title: "A title",
      actions: [
        { kind: "file", line: 3, path: "a/b", executable: true, lines: ["one", ""] },
        {
          kind: "run",
          line: 6,
          text: "X='1 2' gum run \"a b\"",
          env: { X: "1 2" },
          args: ["run", "a b"],
          stdin: ["in"],
          stdout: ["out"],
          stderr: ["err"],
          exit: 3,
        },
        { kind: "absent", line: 11, args: ["c"] },
      ],
    });
  });

  test("a line that is not understood is an error with its number", () => {
    expect(() => readStory("# T\nexits a\n")).toThrow("2: not understood: exits a");
    expect(() => readStory("# T\nexists a b\n")).toThrow("2: not understood: exists a b");
    expect(() => readStory("# T\n$ rm -r x\n")).toThrow("2: a story runs gum and nothing else");
    expect(() => readStory("# T\n$ gum 'a\n")).toThrow("2: a quote is not closed");
    expect(() => readStory("# T\n> out\n")).toThrow("2: not understood: > out");
    expect(() => readStory("no title\n")).toThrow("1: a story starts with its title");
  });

  test("an ellipsis stands for a part of a line, or for lines when it is alone", () => {
    expect(matches([], "")).toBe(true);
    expect(matches([], "x\n")).toBe(false);
    expect(matches(["took … ms (a.b)"], "took 12 ms (a.b)\n")).toBe(true);
    expect(matches(["took … ms (a.b)"], "took 12 ms (aXb)\n")).toBe(false);
    expect(matches(["a…"], "a\nb\n")).toBe(false);
    expect(matches(["a", "…", "z"], "a\nz\n")).toBe(true);
    expect(matches(["a", "…", "z"], "a\n1\n2\nz\n")).toBe(true);
    expect(matches(["a", "…", "z"], "a\n1\n")).toBe(false);
  });
});
