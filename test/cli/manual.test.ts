import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands, type Command } from "../../src/cli/command.ts";
import { findCommand } from "../../src/cli/find-command.ts";
import { globalFlags } from "../../src/cli/flags.ts";
import { parse } from "../../src/cli/parse.ts";
import { routes } from "../../src/cli/routes.ts";
import { fillBlocks, generatedFiles } from "../../src/dev/docs.ts";
import { gum } from "./world.ts";

const root = join(import.meta.dir, "../..");
const commands = await allCommands(routes);

/** The words of a shell line's `gum …` part; quotes and pipes are as simple as in our own samples. */
function wordsOf(line: string): string[] | undefined {
  const call = /(?:^|[|;&] *|\$\()gum( .*)?$/.exec(line.replace(/ +#.*$/, ""))?.[1] ?? "";
  if (!/(?:^|[|;&] *|\$\()gum(?: |$)/.test(line)) return undefined;
  const words = [...call.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  const end = words.findIndex((word) => /^(?:[|;>&]|\d?>|&&)/.test(word));
  return end < 0 ? words : words.slice(0, end);
}

async function understood(words: readonly string[]): Promise<Command | undefined> {
  const found = findCommand(words, routes);
  if (found.kind !== "command") return undefined;
  const command = await found.load();
  parse(command.name, command.args, { ...globalFlags, ...command.flags }, found.words);
  return command;
}

describe("every command", () => {
  for (const command of commands) {
    test(`gum ${command.name} has help with its summary, usage, examples and flags`, async () => {
      const { code, out, err } = await gum([...command.name.split(" "), "--help"]);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toStartWith(`${command.summary}\n\nUsage:\n  gum ${command.name}`);
      expect(out).toContain("\nExamples:\n  ");
      for (const flag of ["--help", "--profile <name>", "--json", "--quiet", "--log-level", "--no-color"]) {
        expect(out).toContain(flag);
      }
    });

    test(`the examples of gum ${command.name} are understood as that command`, async () => {
      for (const example of command.examples) {
        const words = wordsOf(example);
        expect([example, words === undefined ? undefined : (await understood(words))?.name]).toEqual([
          example,
          command.name,
        ]);
      }
      expect(command.examples.length).toBeGreaterThan(0);
    });
  }
});

test("the generated parts of the docs and of the source are current", async () => {
  for (const [path, text] of await generatedFiles()) {
    expect([path, readFileSync(join(root, path), "utf8") === text]).toEqual([path, true]);
  }
});

test("a generated block is replaced whole, and an unknown one is an error", () => {
  const text = "a\n<!-- gen:x -->\nold\n<!-- end:x -->\nb\n";
  expect(fillBlocks("f", text, { x: "new\n" })).toBe("a\n<!-- gen:x -->\nnew\n<!-- end:x -->\nb\n");
  expect(() => fillBlocks("f", text, {})).toThrow('f: there is no generated block "x"');
});

test("every gum command in a shell sample of the docs is understood", async () => {
  const samples = readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => {
      const text = readFileSync(join(root, "docs", name), "utf8");
      const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm)];
      return blocks.flatMap(([, block = ""]) => block.split("\n").map((line) => ({ name, line })));
    });
  const faults: string[] = [];
  let checked = 0;
  for (const { name, line } of samples) {
    const words = wordsOf(line);
    if (words === undefined) continue;
    checked++;
    await understood(words).catch((error: unknown) => faults.push(`${name}: ${line}: ${error}`));
  }
  expect(faults).toEqual([]);
  expect(checked).toBeGreaterThan(20);
});

test("L1 gum help exit-codes and gum help errors print the tables", async () => {
  const exits = await gum(["help", "exit-codes"]);
  expect([exits.code, exits.err]).toEqual([0, ""]);
  expect(exits.out).toContain(
    "\n| 9 | somebody has to confirm first | `REQUIRES_CONFIRMATION` `CONFIRMATION_TOKEN_INVALID` |\n",
  );
  expect(exits.out).not.toContain("<!--");
  const errors = await gum(["help", "errors"]);
  expect(errors.out).toContain(
    "\n| `PLUGIN_NOT_FOUND` | 10 | No such plugin in this profile. | see `gum plugin list` |\n",
  );
});

test("gum help shows a command's help, and refuses what it does not know", async () => {
  expect((await gum(["help", "plugin", "install"])).out).toBe(
    (await gum(["plugin", "install", "--help"])).out,
  );
  expect((await gum(["help", "pipeline"])).out).toStartWith("See, check and copy");
  expect((await gum(["help"])).out).toContain(
    "Topics: auth, canaries, clients, commands, credentials, dispatch, env, errors",
  );
  const { code, err } = await gum(["help", "exit-cods"]);
  expect([code, err.split("\n")[0]]).toEqual([
    2,
    'gum: error USAGE: There is no help on "exit-cods": did you mean "exit-codes"?',
  ]);
});
