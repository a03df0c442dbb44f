import { defineCommand } from "../../command.ts";
import { grantFlags, namedGrants, namesNothing } from "../../grant-flags.ts";
import { grantsText } from "../../grants-text.ts";
import { usage } from "../../parse.ts";

const name = "plugin grant";

export const grant = defineCommand({
  name,
  summary: "Let an installed plugin use more than its manifest's sandbox gives it.",
  examples: [
    "gum plugin grant maps --allow-read /srv/maps",
    "gum plugin grant notes fs.read,clock --allow-write /srv/notes",
  ],
  args: {
    id: { summary: "The plugin's id." },
    capability: { take: "rest", summary: "Capabilities of a handshake plugin, by name." },
  },
  flags: grantFlags,
  async run({ args, flags }, context) {
    const named = namedGrants(flags, args.capability);
    if (namesNothing(named)) throw usage(name, "Say what to grant: a capability, a path or --allow-shm");
    const kernel = await context.kernel();
    const { changeGrants } = await import("../../../kernel/change-grants.ts");
    const answer = await changeGrants(kernel, args.id, "grant", named);
    await context.answer(answer, () => grantsText(answer));
    return 0;
  },
});
