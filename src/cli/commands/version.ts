// `gum version` has 2.5 ms to spare, so this file imports nothing that a bundler does not fold into a constant.
import packageFacts from "../../../package.json" with { type: "json" };
import { defineCommand } from "../command.ts";
import { protocols } from "../protocols.ts";

export const version = defineCommand({
  name: "version",
  summary: "Print the version of gum; with --json also its runtime and protocols.",
  examples: ["gum version", "gum version --json"],
  args: {},
  flags: {},
  async run(_, { json, print }) {
    const { name, version } = packageFacts;
    await print(json ? JSON.stringify({ name, version, runtime: runtimeName(), protocols }) : version);
    return 0;
  },
});

/** Both runtimes tell their name and version here. */
function runtimeName(): string {
  return navigator.userAgent;
}
