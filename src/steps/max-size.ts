import * as v from "valibot";
import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";

const Bound = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Refuses plugins that are larger than the operator wants them, below the limits that always hold. */
export const maxSize = defineStep({
  name: "max-size",
  summary: "Refuse plugins with more files or bytes than the operator allows.",
  needs: ["plugin", "staged"],
  gives: [],
  codes: ["POLICY_DENIED"],
  optional: true,
  args: v.strictObject({ files: v.optional(Bound), bytes: v.optional(Bound) }),
  run({ plugin, staged }, { note }, { files, bytes }) {
    const found = staged.entries.filter(({ kind }) => kind !== "folder");
    const size = found.reduce((sum, entry) => sum + entry.size, 0);
    if (files !== undefined && found.length > files) {
      throw new GumError(
        "POLICY_DENIED",
        `The plugin "${plugin.id}" has ${found.length} files, and ${files} are allowed.`,
      );
    }
    if (bytes !== undefined && size > bytes) {
      throw new GumError(
        "POLICY_DENIED",
        `The plugin "${plugin.id}" has ${size} bytes, and ${bytes} are allowed.`,
      );
    }
    note(`${found.length} files, ${size} bytes`);
    return {};
  },
});
