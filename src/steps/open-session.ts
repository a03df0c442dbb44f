import { defineStep } from "../pipeline/step.ts";
import { claimAttempt } from "../registry/outcomes.ts";
import { requirePins } from "./require-pins.ts";
import { standIn, unproven } from "./skipped.ts";
import { ownerOf } from "./verify-executable.ts";

/** Starts the plugin in its sandbox and compares its tools with those that were pinned; a server's may run already. */
export const openSession = defineStep({
  name: "open-session",
  summary: "Start the plugin in its sandbox and compare its tools with the pinned ones.",
  needs: ["resolved", "profile", "runtime", "cached", "prepared", "verified"],
  gives: ["session"],
  codes: [
    "PLUGIN_SANDBOX_UNSUPPORTED",
    "PLUGIN_SHAPE_UNSUPPORTED",
    "SERVICE_DOWN",
    "PLUGIN_TIMEOUT",
    "PLUGIN_TOOLS_MISMATCH",
    "PLUGIN_TOOLS_DRIFT",
    "PLUGIN_QUARANTINED",
    "RATE_LIMITED",
    "REGISTRY_IO",
    "REGISTRY_LOCKED",
    "PIPELINE_INVALID",
  ],
  skippableBy: ["not-cached"],
  async run({ resolved, profile, runtime, prepared, verified }, { host, signal, cleanup, note }) {
    if (verified.how === "running") return { session: verified.lent.session };
    if (verified.how !== "hashed") throw unproven("open-session", "verify-executable");
    if (prepared === null) throw unproven("open-session", "scrub-env");
    await claimAttempt(host, profile, resolved.state);
    const { file } = verified;
    const lent = await runtime.sessions.open(ownerOf(resolved.lock), signal, async (lifeSignal) => {
      const session = await prepared.start({
        verified: file,
        signal: lifeSignal,
        connectTimeoutMs: runtime.settings.connectTimeoutMs,
        peer: runtime.peerOf?.(resolved.lock.name),
      });
      try {
        const { tools } = requirePins(resolved, await session.describe());
        note(`${tools.length} tools as pinned`);
        return session;
      } catch (error) {
        await session.close();
        throw error;
      }
    });
    cleanup.defer(() => lent.release());
    return { session: lent.session };
  },
  otherwise({ cached }) {
    standIn("open-session", cached);
    return { session: null };
  },
});
