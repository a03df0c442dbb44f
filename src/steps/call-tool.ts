import { defineStep } from "../pipeline/step.ts";

const defaultCallMs = 60_000;

/** Sends the call and waits for the plugin's own answer. */
export const callTool = defineStep({
  name: "call-tool",
  summary: "Call the tool on the open session.",
  needs: ["session", "request", "resolved", "riskAccepted", "confirmed"],
  gives: ["answer"],
  codes: ["SERVICE_DOWN", "PLUGIN_TIMEOUT", "OP_NOT_FOUND", "INVALID_ARGS"],
  async run({ session, request, resolved }, { signal }) {
    const { plugin } = resolved.lock;
    const longest = Math.min(defaultCallMs, plugin.timeout_ms ?? defaultCallMs);
    const answer = await session.call(resolved.variant.binding.tool_name, request.args, {
      timeoutMs: request.timeoutMs ?? longest,
      signal,
    });
    return { answer };
  },
});
