import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { mayForget } from "./forget-credentials.ts";

/** A removal needs somebody's yes: a flag, or an answer on a terminal. */
export const confirmRemoval = defineStep({
  name: "confirm-removal",
  summary: "Refuse a removal that nobody confirmed.",
  needs: ["installed", "profile", "removal"],
  gives: ["removalConfirmed"],
  codes: ["REQUIRES_CONFIRMATION", "KEYCHAIN_UNAVAILABLE"],
  async run({ installed, profile, removal }, { host, note }) {
    // Before anything is changed: a purge that cannot forget would be half of what was promised.
    if (removal.purge) await mayForget(host, profile, installed.plugin);
    if (removal.yes) {
      note("by flag");
      return { removalConfirmed: true };
    }
    if ((await removal.ask(installed.name, installed.version)) !== true) {
      const purge = removal.purge ? " --purge" : "";
      throw new GumError(
        "REQUIRES_CONFIRMATION",
        `Nobody confirmed that "${installed.name}" is to be removed.`,
        {
          hint: `add --yes: \`gum plugin remove ${installed.name}${purge} --yes\``,
        },
      );
    }
    return { removalConfirmed: true };
  },
});
