import { GumError } from "../base/errors.ts";
import type { ResolvedOp } from "../model/call.ts";
import { credentialNeeds } from "../model/credentials.ts";
import { defineStep } from "../pipeline/step.ts";
import { type RetryWindow, retryWindow, trustFaults } from "../registry/backoff.ts";
import { correctWindow } from "../registry/outcomes.ts";
import { refuseRevokedKey } from "../trust/key-store.ts";
import { authRequired } from "./plugin-credentials.ts";

/** Only active plugins are called; one that rests after a crash may be tried once its rest is over (C7). */
export const checkStatus = defineStep({
  name: "check-status",
  summary: "Refuse plugins that are quarantined, unconfigured or not yet active.",
  needs: ["resolved", "profile"],
  gives: ["callable"],
  codes: [
    "PLUGIN_QUARANTINED",
    "VARIANT_QUARANTINED",
    "AUTH_REQUIRED",
    "UNSUPPORTED_CAPABILITY",
    "PLUGIN_SIGNATURE_INVALID",
    "CONFIG_INVALID",
    "REGISTRY_IO",
    "REGISTRY_LOCKED",
  ],
  async run({ resolved, profile }, { host, note }) {
    const { state, status } = resolved;
    // Here, where every call passes, and not at the spawn: a running process must stop being called, too.
    await refuseRevokedKey(host, profile.configDir, resolved.lock);
    const window = retryWindow(state, host.clock.now());
    if (!window.mayTry) {
      if (window.corrected !== null) await correctWindow(host, profile, state);
      throw quarantined(resolved, window);
    }
    if (state.needs_configuration) {
      const { plugin } = resolved.lock;
      const needs = credentialNeeds(plugin);
      const required = needs.filter((need) => need.required);
      throw authRequired(plugin, required.length > 0 ? required : needs, { status: "needs_configuration" });
    }
    if (status === "installed_pending_restart") throw pending(resolved);
    if (state.quarantined) note("one attempt after its rest");
    return { callable: true };
  },
});

function quarantined({ state, lock, addressedBy }: ResolvedOp, window: RetryWindow): GumError {
  const code = addressedBy === "plugin" ? "PLUGIN_QUARANTINED" : "VARIANT_QUARANTINED";
  const { nextRetryAt, retryAfterMs } = window;
  return new GumError(
    code,
    `Plugin "${lock.name}" is quarantined: ${state.reason ?? "no reason was recorded"}`,
    {
      hint: nextStep(resolvedFault(state.last_error_code), lock.name, nextRetryAt),
      retryable: nextRetryAt !== null,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
      details: {
        status: "quarantined",
        reason: state.reason,
        last_error_code: state.last_error_code,
        next_retry_at: nextRetryAt,
        permanent: state.permanent_quarantine,
      },
    },
  );
}

function resolvedFault(code: string | null): "trust" | "crash" {
  return code !== null && trustFaults.has(code) ? "trust" : "crash";
}

function nextStep(fault: "trust" | "crash", plugin: string, nextRetryAt: string | null): string | undefined {
  if (fault === "trust") {
    return `it is not what was installed: install it again, or see \`gum plugin info ${plugin}\` and lift it with \`gum plugin unquarantine ${plugin} --yes\``;
  }
  return nextRetryAt === null
    ? undefined
    : `try again after ${nextRetryAt}, or see \`gum plugin info ${plugin}\``;
}

function pending({ lock, status }: ResolvedOp): GumError {
  return new GumError(
    "UNSUPPORTED_CAPABILITY",
    `Plugin "${lock.name}" was installed after this process started and is not active in it.`,
    { details: { status } },
  );
}
