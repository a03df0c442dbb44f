import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findCommand } from "../../src/cli/find-command.ts";
import { globalFlags } from "../../src/cli/flags.ts";
import { routes } from "../../src/cli/routes.ts";
import { helpTopics } from "../../src/kernel/help.ts";

const root = join(import.meta.dirname, "../..");

/** Every command line that stands in back-ticks somewhere in the source, with what is filled in left out. */
function namedCommands(): { readonly where: string; readonly line: string }[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !file.startsWith("dev/"))
    .flatMap((where) => {
      const text = readFileSync(join(root, "src", where), "utf8");
      // A hint in a template has its back-ticks escaped; one in quotes has them bare.
      const bare = [...text.matchAll(/"[^"\n`]*`(gum [^`\n\\$:]*)`/g)];
      const escaped = [...text.matchAll(/\\`(gum (?:[^`\\\n]|\\[^`])*)\\`/g)];
      return [...bare, ...escaped].map(([, line = ""]) => ({ where, line }));
    });
}

/** The words up to the first that is a placeholder or computed. */
function plainWords(line: string): string[] {
  const words = line.split(" ").slice(1);
  const end = words.findIndex((word) => /[<[${…]/.test(word));
  return end < 0 ? words : words.slice(0, end);
}

test("L2 every command and topic that a hint names is there", async () => {
  const found = namedCommands();
  const lost: string[] = [];
  for (const { where, line } of found) {
    const words = plainWords(line);
    if (!(await isThere(words))) lost.push(`${where}: ${line}`);
  }
  expect(lost).toEqual([]);
  expect(found.length).toBeGreaterThan(40);
});

async function isThere(words: readonly string[]): Promise<boolean> {
  const [first, topic] = words;
  if (first === undefined) return true;
  if (first === "help") return topic === undefined || helpTopics().includes(topic);
  try {
    const command = findCommand(words, routes);
    if (command.kind !== "command") return command.kind === "group" || words.length === 0;
    const { flags } = await command.load();
    const known = new Set([...Object.keys(globalFlags), ...Object.keys(flags)]);
    const end = words.indexOf("--");
    return words
      .slice(0, end < 0 ? words.length : end)
      .filter((word) => word.startsWith("--"))
      .every((word) => known.has(word.slice(2).replace(/=.*$/, "")));
  } catch {
    return false;
  }
}

test("L2 a hint that names nothing is found out", async () => {
  expect(await isThere(["help", "nothing"])).toBe(false);
  expect(await isThere(["plugin", "instal"])).toBe(false);
  expect(await isThere(["plugin", "install", "--yess"])).toBe(false);
  expect(await isThere(["plugin", "install", "--yes"])).toBe(true);
});

test("L2 every page of docs/ is a topic of gum help", () => {
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  expect(helpTopics().toSorted()).toEqual(pages.map((name) => name.replace(/\.md$/, "")).toSorted());
});
