import type { Plugin } from "../model/plugin.ts";
import { defineStep } from "../pipeline/step.ts";
import { callTimeout } from "../wire/timeouts.ts";
import { standIn, unproven } from "./skipped.ts";

/** Sends the call and waits for the plugin's own answer. */
export const callTool = defineStep({
  name: "call-tool",
  summary: "Call the tool on the open session.",
  needs: ["session", "request", "resolved", "runtime", "riskAccepted", "argsValid", "confirmed", "cached"],
  gives: ["answer"],
  codes: [
    "SERVICE_DOWN",
    "PLUGIN_TIMEOUT",
    "OP_NOT_FOUND",
    "INVALID_ARGS",
    "POLICY_DENIED",
    "PIPELINE_INVALID",
  ],
  skippableBy: ["not-cached"],
  async run({ session, request, resolved, runtime }, { signal }) {
    if (session === null) throw unproven("call-tool", "open-session");
    const { settings } = runtime;
    const answer = await session.call(resolved.variant.binding.tool_name, request.args, {
      timeoutMs: callTimeout({
        configuredMs: settings.callTimeoutMs,
        pluginMs: pluginLimit(resolved.lock.plugin),
        pluginMayRaise: settings.allowLongerTimeouts,
        requestedMs: request.timeoutMs,
      }),
      signal,
      onProgress: request.onProgress,
      onReply: request.onReply,
    });
    return { answer };
  },
  otherwise({ cached }) {
    return { answer: { ok: true, ...standIn("call-tool", cached).answer } };
  },
});

/** What the manifest says a call may take; the handshake's own limit may be the shorter one. */
function pluginLimit({ timeout_ms, handshake }: Plugin): number | null {
  if (handshake === null) return timeout_ms;
  return Math.min(handshake.timeout_ms, timeout_ms ?? handshake.timeout_ms);
}
