import { defineCommand } from "../command.ts";

export const setup = defineCommand({
  name: "setup",
  summary: "x",
  examples: [],
  args: {},
  flags: {},
  async run() {
    return 0;
  },
});
