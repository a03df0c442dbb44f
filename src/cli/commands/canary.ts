import { exitCodeOf, exitCodes } from "../../base/error-codes.ts";
import type { CanaryAnswer } from "../../kernel/answers-canary.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { readCallArguments } from "../call-args.ts";
import { defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { pipelineFlags } from "../flags.ts";
import { usage } from "../parse.ts";
import { splitWords } from "../split-words.ts";
import { cellText } from "../table.ts";
import { tellWarnings } from "../warnings.ts";

const name = "canary";

export const canary = defineCommand({
  name,
  summary: "Try an installed plugin, or all of them: start it, compare its tools, and make its trial call.",
  examples: [
    "gum canary --plugin=hello",
    "gum canary --plugin=hello --live --json",
    "gum canary --plugin=hello --live --canary-args 'name=Ada times:=3'",
    "gum canary --all --live --jobs 4",
  ],
  args: {},
  flags: {
    plugin: { kind: "text", value: "id", summary: "The plugin's id." },
    all: { kind: "switch", summary: "Every active plugin; fails when one of them does." },
    live: { kind: "switch", summary: "Make the trial call, too, not the handshake alone." },
    "canary-args": {
      kind: "text",
      value: "words",
      summary: "Arguments instead of some of the manifest's, as key=text key:=json.",
    },
    jobs: { kind: "whole", least: 1, most: 64, summary: "How many plugins are tried at a time (2)." },
    ...pipelineFlags,
  },
  async run({ flags }, context) {
    const { plugin, all, live, jobs } = flags;
    if (all === (plugin !== undefined)) throw usage(name, "Say either --plugin=<id> or --all");
    if (jobs !== undefined && !all) throw usage(name, "The flag --jobs goes with --all");
    const said = flags["canary-args"];
    if (said !== undefined && !(live && plugin !== undefined)) {
      throw usage(name, "The flag --canary-args goes with --plugin and --live");
    }
    const args =
      said === undefined
        ? undefined
        : await readCallArguments(name, splitWords(name, said), await context.host());
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    if (plugin === undefined) return tryAll(kernel, context, { live, jobs: jobs ?? 2 });
    const { runCanary } = await import("../../kernel/canary.ts");
    const answer = await runCanary(kernel, plugin, { live, args });
    await tellWarnings(answer.warnings, context);
    await context.answer(answer, () => canaryText(answer));
    return answer.error === undefined ? exitCodes.ok : exitCodeOf(answer.error.code);
  },
});

async function tryAll(
  kernel: Kernel,
  context: Context,
  wishes: { readonly live: boolean; readonly jobs: number },
): Promise<number> {
  const { runCanaries } = await import("../../kernel/canary.ts");
  const { terminal } = kernel.host;
  const shows = terminal.interactive.stderr && !context.json;
  const answer = await runCanaries(kernel, wishes, ({ plugin }, done, total) => {
    if (shows) void context.note(`${done} of ${total}: ${cellText(plugin)}\n`);
  });
  for (const { warnings } of answer.canaries) await tellWarnings(warnings, context);
  await context.answer(answer, () => answer.canaries.map(canaryText).join(""));
  return answer.ok ? exitCodes.ok : exitCodes.plugin;
}

/** One line about a canary, and what to do next when it failed. */
function canaryText({ plugin, ok, live, latency_ms, spawn_ms, status, error }: CanaryAnswer): string {
  const times = [
    ...(spawn_ms === null ? [] : [`started in ${spawn_ms} ms`]),
    ...(latency_ms === null ? [] : [`answered in ${latency_ms} ms`]),
  ].join(", ");
  if (ok) return `${plugin}: ok, ${live ? "live" : "handshake"}, ${times}; ${status}\n`;
  const said = `${plugin}: ${error?.code ?? "failed"}: ${cellText(error?.message ?? "")}\n`;
  return `${said}  it is ${status}; next: ${cellText(error?.hint ?? "")}\n`;
}
