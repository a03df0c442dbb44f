import type { PipelineStepView, PipelineView } from "../../../kernel/answers.ts";
import { defineCommand } from "../../command.ts";
import { pipelinesFlag } from "../../flags.ts";

export const show = defineCommand({
  name: "pipeline show",
  summary: "Show a pipeline step by step: what each needs, gives, and can refuse with.",
  examples: ["gum pipeline show install", "gum pipeline show dispatch --format mermaid"],
  args: {
    name: {
      summary: "The pipeline's name; see `gum pipeline list`.",
      offers: async () => (await import("../../../kernel/pipeline-texts.ts")).pipelineNames,
    },
  },
  flags: {
    format: {
      kind: "choice",
      choices: ["text", "yaml", "json", "mermaid"],
      summary: "How to answer; yaml is the file as it runs.",
    },
    ...pipelinesFlag,
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines });
    const { pipelineYaml, showPipeline } = await import("../../../kernel/pipelines.ts");
    if (flags.format === "yaml") {
      const text = await pipelineYaml(kernel, args.name);
      await context.answer(text, () => text);
      return 0;
    }
    const view = await showPipeline(kernel, args.name);
    await context.answer(view, () => (flags.format === "mermaid" ? mermaidText(view) : pipelineText(view)));
    return 0;
  },
});

/** Numbered steps with their contract, for a person. */
export function pipelineText(view: PipelineView): string {
  const { name, summary, file, edited, sha256, steps } = view;
  const head = [`${name}: ${summary}`, `${edited ? "edited" : "shipped"}: ${file}`, `sha256: ${sha256}`, ""];
  return `${[...head, ...steps.flatMap(stepText)].join("\n")}\n`;
}

function stepText(step: PipelineStepView): string[] {
  const marks = [step.when === undefined ? "" : ` (when ${step.when})`, step.always ? " (always)" : ""].join(
    "",
  );
  const rows: [string, string][] = [
    ["needs", step.needs.join(", ")],
    ["gives", step.gives.join(", ")],
    ["codes", step.codes.join(", ")],
    ["with", step.with === undefined || step.with === null ? "" : JSON.stringify(step.with)],
    ["note", step.note ?? ""],
  ];
  return [
    `${String(step.number).padStart(2)}. ${step.step}${marks}: ${step.summary}`,
    ...rows.filter(([, text]) => text !== "").map(([label, text]) => `      ${label}: ${text}`),
  ];
}

/** A flow chart: the steps in their order, what flows on, and the codes each can end with. */
export function mermaidText({ steps }: PipelineView): string {
  const lines = ["flowchart TD"];
  for (const [index, step] of steps.entries()) {
    const id = `s${step.number}`;
    lines.push(`  ${id}["${step.number}. ${step.step}"]`);
    const next = steps[index + 1];
    const label = step.gives.length === 0 ? "" : `|"${step.gives.join(", ")}"|`;
    if (next !== undefined) lines.push(`  ${id} -->${label} s${next.number}`);
    if (step.codes.length > 0) lines.push(`  ${id} -.-> x${step.number}("${step.codes.join("<br>")}")`);
  }
  return `${lines.join("\n")}\n`;
}
