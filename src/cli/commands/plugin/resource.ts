import { isRecord } from "../../../base/record.ts";
import { defineCommand } from "../../command.ts";
import { pipelineFlags } from "../../flags.ts";
import { renderOffer, safeBlock, textOf } from "../../plugin-texts.ts";

export const resource = defineCommand({
  name: "plugin resource",
  summary: "Read a resource of a plugin; without one, list its resources and their templates.",
  examples: [
    "gum plugin resource notes",
    "gum plugin resource notes note://today",
    "gum plugin resource notes note://today --json",
  ],
  args: {
    id: { summary: "The plugin's id." },
    uri: { take: "optional", summary: "The resource's URI, as the plugin names it." },
  },
  flags: { ...pipelineFlags },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { askOffer, askPlugin } = await import("../../../kernel/ask.ts");
    if (args.uri === undefined) {
      const { resources, templates } = await askOffer(kernel, args.id);
      const none = resources.length + templates.length === 0;
      if (none && !context.json) await context.note(`${args.id} has no resources.\n`);
      await context.answer({ resources, templates }, (style) =>
        [
          renderOffer("RESOURCE", "uri", resources, style),
          renderOffer("TEMPLATE", "uriTemplate", templates, style),
        ].join(""),
      );
      return 0;
    }
    const asks = { method: "resources/read", params: { uri: args.uri } } as const;
    const reply = await askPlugin(kernel, { plugin: args.id, asks });
    await context.answer(reply, (style) => safeBlock(contentsText(reply), style));
    return 0;
  },
});

function contentsText(reply: unknown): string {
  const contents: readonly unknown[] = isRecord(reply) && Array.isArray(reply.contents) ? reply.contents : [];
  return contents.map((one) => `${textOf(one).replace(/\n$/, "")}\n`).join("");
}
