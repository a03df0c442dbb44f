import { defineCommand } from "../command.ts";
import { completionFacts } from "../completion/facts.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completion = defineCommand({
  name: "completion",
  summary: "Print the completion script of a shell.",
  examples: ["gum completion bash > gum.bash", "gum completion fish > gum.fish"],
  args: { shell: { choices: shells, summary: "The shell that reads the script." } },
  flags: {},
  async run({ args }, context) {
    const facts = await completionFacts(context.routes);
    const script = await scripts[args.shell](facts);
    await context.answer({ shell: args.shell, script }, () => script);
    return 0;
  },
});

type Facts = Awaited<ReturnType<typeof completionFacts>>;

const scripts: Readonly<Record<(typeof shells)[number], (facts: Facts) => Promise<string>>> = {
  bash: async (facts) => (await import("../completion/bash.ts")).bashScript(facts),
  zsh: async (facts) => (await import("../completion/zsh.ts")).zshScript(facts),
  fish: async (facts) => (await import("../completion/fish.ts")).fishScript(facts),
};
