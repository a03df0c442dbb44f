import { checkBindings as check } from "../manifest/checks/bindings.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse tools that do not say how they are reached. */
export const checkBindings = defineStep({
  name: "check-bindings",
  summary: "Refuse tools that do not say how they are reached.",
  needs: ["document", "plugin"],
  gives: ["bindingsChecked"],
  codes: ["PLUGIN_BINDING_INVALID", "UNKNOWN_BACKEND_KIND", "UNKNOWN_INTERFACE_KIND", "UNKNOWN_CAPABILITY"],
  run({ document, plugin }) {
    refuse(check(plugin, document));
    return { bindingsChecked: true };
  },
});
