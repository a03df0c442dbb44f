import { defineCommand } from "../../command.ts";
import { namedGrants, namesNothing } from "../../grant-flags.ts";
import { grantsText } from "../../grants-text.ts";
import { usage } from "../../parse.ts";

const name = "plugin revoke";

export const revoke = defineCommand({
  name,
  summary: "Take back what was granted to a plugin.",
  examples: ["gum plugin revoke maps --allow-read /srv/maps", "gum plugin revoke notes fs.read --allow-shm"],
  args: {
    id: { summary: "The plugin's id." },
    capability: { take: "rest", summary: "Capabilities of a handshake plugin, by name." },
  },
  flags: {
    "allow-read": {
      kind: "text",
      value: "path",
      repeated: true,
      summary: "A path that it may read no longer.",
    },
    "allow-write": {
      kind: "text",
      value: "path",
      repeated: true,
      summary: "A path that it may write no longer.",
    },
    "allow-shm": { kind: "switch", summary: "It may use shared memory no longer." },
  },
  async run({ args, flags }, context) {
    const named = namedGrants(flags, args.capability);
    if (namesNothing(named)) throw usage(name, "Say what to take back: a capability, a path or --allow-shm");
    const kernel = await context.kernel();
    const { changeGrants } = await import("../../../kernel/change-grants.ts");
    const answer = await changeGrants(kernel, args.id, "revoke", named);
    await context.answer(answer, () => grantsText(answer));
    return 0;
  },
});
