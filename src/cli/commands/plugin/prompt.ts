import { isRecord } from "../../../base/record.ts";
import { readCallArguments } from "../../call-args.ts";
import { defineCommand } from "../../command.ts";
import type { Host } from "../../context.ts";
import { pipelineFlags } from "../../flags.ts";
import { usage } from "../../parse.ts";
import { renderOffer, safeBlock, textOf } from "../../plugin-texts.ts";

const name = "plugin prompt";

export const prompt = defineCommand({
  name,
  summary: "Fill in a prompt of a plugin; without one, list its prompts.",
  examples: [
    "gum plugin prompt notes",
    "gum plugin prompt notes summarise topic=milk",
    "gum plugin prompt notes summarise letter=@letter.txt --json",
  ],
  args: {
    id: { summary: "The plugin's id." },
    prompt: { take: "optional", summary: "The prompt's name." },
    arguments: { take: "rest", summary: "The prompt's arguments: key=text or key=@file." },
  },
  flags: { ...pipelineFlags },
  async run({ args, flags }, context) {
    const host = await context.host();
    const given = await readTexts(args.arguments, host);
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { askOffer, askPlugin } = await import("../../../kernel/ask.ts");
    if (args.prompt === undefined) {
      const { prompts } = await askOffer(kernel, args.id);
      if (prompts.length === 0 && !context.json) await context.note(`${args.id} has no prompts.\n`);
      await context.answer({ prompts }, (style) => renderOffer("PROMPT", "name", prompts, style));
      return 0;
    }
    const params = { name: args.prompt, arguments: given };
    const reply = await askPlugin(kernel, { plugin: args.id, asks: { method: "prompts/get", params } });
    await context.answer(reply, (style) => safeBlock(messagesText(reply), style));
    return 0;
  },
});

/** MCP knows no other arguments of a prompt than texts. */
async function readTexts(words: readonly string[], host: Host): Promise<Readonly<Record<string, string>>> {
  const values = await readCallArguments(name, words, host);
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== "string") throw usage(name, `The argument "${key}" of a prompt is a text`);
    texts[key] = value;
  }
  return texts;
}

function messagesText(reply: unknown): string {
  const messages: readonly unknown[] = isRecord(reply) && Array.isArray(reply.messages) ? reply.messages : [];
  return messages
    .filter(isRecord)
    .map(({ role, content }) => {
      const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
      return `${String(role)}: ${blocks.map(textOf).join("\n")}\n`;
    })
    .join("");
}
