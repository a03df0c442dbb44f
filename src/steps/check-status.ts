import { GumError } from "../base/errors.ts";
import type { ResolvedOp } from "../model/call.ts";
import { defineStep } from "../pipeline/step.ts";

/** Only active plugins are called. */
export const checkStatus = defineStep({
  name: "check-status",
  summary: "Refuse plugins that are quarantined, unconfigured or not yet active.",
  needs: ["resolved"],
  gives: ["callable"],
  codes: ["PLUGIN_QUARANTINED", "VARIANT_QUARANTINED", "AUTH_REQUIRED"],
  run({ resolved }) {
    const refusal = refusalOf(resolved);
    if (refusal !== undefined) throw refusal;
    return { callable: true };
  },
});

function refusalOf({ state, lock, variant, addressedBy }: ResolvedOp): GumError | undefined {
  if (state.quarantined) {
    const code = addressedBy === "plugin" ? "PLUGIN_QUARANTINED" : "VARIANT_QUARANTINED";
    return new GumError(
      code,
      `Plugin "${lock.name}" is quarantined: ${state.reason ?? "no reason was recorded"}`,
      {
        details: { status: "quarantined", reason: state.reason, last_error_code: state.last_error_code },
      },
    );
  }
  if (state.needs_configuration) {
    return new GumError("AUTH_REQUIRED", `Plugin "${lock.name}" has no credentials yet.`, {
      details: {
        status: "needs_configuration",
        credentials: lock.plugin.credential_descriptors.map(({ alias, display_name, setup_hint }) => ({
          alias,
          display_name,
          setup_hint,
        })),
      },
    });
  }
  // A command's own process activates what is installed; see activation in the registry.
  return variant.owner_plugin === lock.name
    ? undefined
    : new GumError("INTERNAL_ERROR", "A variant met another plugin's row");
}
