import { defineStep } from "../pipeline/step.ts";
import { mapPluginError } from "../wire/map-error.ts";

/** A plugin's own error becomes one of gum's codes; its payload passes as it is. */
export const mapError = defineStep({
  name: "map-error",
  summary: "Turn the plugin's own error into a stable code.",
  needs: ["answer", "resolved"],
  gives: ["payload"],
  codes: ["SERVICE_DOWN", "RATE_LIMITED", "AUTH_REQUIRED", "INVALID_ARGS", "OP_NOT_FOUND"],
  run({ answer }) {
    if (!answer.ok) throw mapPluginError(answer.error);
    const { payload, text, content } = answer;
    return { payload: { payload, text, content } };
  },
});
