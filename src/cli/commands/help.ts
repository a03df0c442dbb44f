import { didYouMean } from "../../base/suggest.ts";
import { defineCommand, type Routes } from "../command.ts";
import { findCommand } from "../find-command.ts";
import { usage } from "../parse.ts";
import { commandHelp, groupHelp, overview } from "../usage.ts";

export const help = defineCommand({
  name: "help",
  summary: "Show the manual: a topic, or the help of a command.",
  examples: ["gum help", "gum help exit-codes", "gum help plugin install"],
  args: {
    topic: {
      take: "rest",
      summary: "A topic, or the words of a command.",
      offers: async () => (await import("../../kernel/help.ts")).helpTopics(),
    },
  },
  flags: {},
  async run({ args }, context) {
    const { routes } = context;
    const { helpTopic, helpTopics } = await import("../../kernel/help.ts");
    const [word, ...others] = args.topic;
    const topics = helpTopics();
    if (word === undefined) {
      const text = await overview(routes);
      await context.answer({ topics, text }, () => `${text}\nTopics: ${topics.join(", ")}.\n`);
      return 0;
    }
    const page = others.length === 0 ? await helpTopic(word) : undefined;
    if (page === undefined && !Object.hasOwn(routes, word)) {
      throw usage(
        "help",
        `There is no help on "${word}"${didYouMean(word, [...topics, ...Object.keys(routes)])}`,
      );
    }
    // A word may name a page and a command: both are shown.
    const ofCommand = Object.hasOwn(routes, word) ? [await helpOf(args.topic, routes)] : [];
    const text = [...(page === undefined ? [] : [pageText(page)]), ...ofCommand].join("\n");
    await context.answer({ topic: args.topic.join(" "), text }, () => text);
    return 0;
  },
});

async function helpOf(words: readonly string[], routes: Routes): Promise<string> {
  const found = findCommand(words, routes);
  if (found.kind === "none") return overview(routes);
  return found.kind === "group" ? groupHelp(found.name, found.group) : commandHelp(await found.load());
}

/** The page as a person reads it: without the marks around generated parts. */
function pageText(page: string): string {
  return page.replace(/^<!--.*-->\n/gm, "");
}
