import type { Finding } from "../base/errors.ts";
import { findInstruction } from "../model/instructive-text.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuses descriptions that speak to the model instead of describing a tool. */
export const scanText = defineStep({
  name: "scan-text",
  summary: "Refuse names and descriptions that give orders to the model.",
  needs: ["plugin"],
  gives: [],
  codes: ["PLUGIN_TEXT_UNSAFE"],
  optional: true,
  run({ plugin }) {
    const texts = [
      { path: "description", text: plugin.description },
      ...plugin.tools.flatMap(({ name, title, description }) => [
        { path: `${name}.title`, text: title ?? "" },
        { path: `${name}.description`, text: description },
      ]),
    ];
    refuse(
      texts.flatMap(({ path, text }): Finding[] => {
        const order = findInstruction(text);
        if (order === undefined) return [];
        return [
          {
            code: "PLUGIN_TEXT_UNSAFE",
            path,
            message: `${path} of "${plugin.id}" ${order}.`,
            hint: "describe what the tool does",
          },
        ];
      }),
    );
    return {};
  },
});
