import { join } from "node:path/posix";
import * as v from "valibot";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { disappointments } from "../model/canary-verdict.ts";
import { type CanaryMode, type CanaryReport, canaryModes } from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import { resolveDates } from "../model/relative-dates.ts";
import type { Session } from "../model/session.ts";
import { defineStep, type StepTools } from "../pipeline/step.ts";
import { verifyExecutable } from "../registry/executable.ts";
import { mapPluginError } from "../wire/map-error.ts";
import { requireDeclaredTools } from "../wire/tool-digest.ts";
import { prepareStart } from "./start-plugin.ts";

/** Starts the staged plugin once, compares its tools with the manifest, and makes its trial call. */
export const canary = defineStep({
  name: "canary",
  summary: "Start the staged plugin once, compare its tools with the manifest, make its trial call.",
  needs: ["plugin", "profile", "flags", "staged", "binding", "consent", "cleanEnv"],
  gives: ["canaryReport"],
  codes: [
    "CANARY_FAILED",
    "PLUGIN_TOOLS_MISMATCH",
    "PLUGIN_SANDBOX_UNSUPPORTED",
    "PLUGIN_SHAPE_UNSUPPORTED",
    "PLUGIN_EXECUTABLE_UNTRUSTED",
    "POLICY_DENIED",
  ],
  args: v.strictObject({
    mode: v.optional(v.picklist(canaryModes), "live"),
    timeout_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(600_000)), 15_000),
  }),
  async run({ plugin, profile, flags, staged, binding, consent }, tools, { mode: shipped, timeout_ms }) {
    const { host, note } = tools;
    const mode = modeOf(flags.canary ?? shipped, profile.isDev);
    if (mode === "skip") {
      note("skipped");
      return { canaryReport: quietReport(mode) };
    }
    const missing = plugin.needs_user_creds.filter((name) => !host.env[name]);
    if (missing.length > 0) {
      note(`skipped: ${missing.length} credentials are missing`);
      return { canaryReport: { ...quietReport("skip"), needsConfiguration: true } };
    }
    const dataDir = join(staged.scratch, "data");
    await host.files.mkdir(dataDir, { mode: 0o700 });
    const prepared = await prepareStart(host, profile, {
      plugin,
      installRoot: binding.installRoot,
      argv: binding.argv,
      interpreter: binding.interpreter,
      grants: consent.grants,
      dataDir,
    });
    const verified = await verifyExecutable(host, {
      name: plugin.id,
      install_root: binding.installRoot,
      executable_path: binding.executablePath,
      executable_sha256: binding.executableSha256,
    });
    try {
      const open = (): Promise<Session> =>
        prepared.start({ verified, signal: tools.signal, connectTimeoutMs: timeout_ms });
      const canaryReport = await tryPlugin(tools, plugin, mode, timeout_ms, open);
      note(`${canaryReport.listed.length} tools, started in ${Math.round(canaryReport.spawnMs)} ms`);
      return { canaryReport };
    } finally {
      await verified.close();
    }
  },
  quarantine(error): { canaryReport: CanaryReport } {
    return { canaryReport: { ...quietReport("live"), ok: false, code: error.code, reason: error.message } };
  },
});

function modeOf(mode: CanaryMode, isDev: boolean): CanaryMode {
  if (mode === "skip" && !isDev)
    throw new GumError("POLICY_DENIED", "Only a dev profile may skip the canary.");
  return mode;
}

function quietReport(mode: CanaryMode): CanaryReport {
  return {
    mode,
    ok: true,
    code: null,
    reason: null,
    latencyMs: 0,
    spawnMs: 0,
    needsConfiguration: false,
    listed: [],
  };
}

async function tryPlugin(
  { host, signal }: Pick<StepTools, "host" | "signal">,
  plugin: Plugin,
  mode: CanaryMode,
  timeoutMs: number,
  open: () => Promise<Session>,
): Promise<CanaryReport> {
  const start = host.clock.monotonic();
  const session = await asCanaryFailure(plugin, open);
  try {
    const description = await asCanaryFailure(plugin, () => session.describe());
    const spawnMs = host.clock.monotonic() - start;
    requireDeclaredTools(
      plugin.id,
      plugin.tools.map((tool) => tool.name),
      description,
    );
    const latencyMs = mode === "live" ? await trialCall(host, plugin, session, timeoutMs, signal) : 0;
    return { ...quietReport(mode), latencyMs, spawnMs, listed: description.tools };
  } finally {
    await session.close();
  }
}

/** The manifest's own trial call; a plugin without one has passed by answering the handshake. */
async function trialCall(
  host: Host,
  plugin: Plugin,
  session: Session,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<number> {
  const { canary: trial } = plugin;
  if (trial === null) return 0;
  const start = host.clock.monotonic();
  const args = resolveDates(trial.args, host.clock.now());
  const answer = await asCanaryFailure(plugin, () =>
    session.call(trial.tool, args, { timeoutMs: Math.min(timeoutMs, trial.timeout_ms ?? timeoutMs), signal }),
  );
  const latencyMs = host.clock.monotonic() - start;
  const payload = answer.ok ? answer.payload : undefined;
  const faults = disappointments(trial.expect, { isError: !answer.ok, payload, latencyMs });
  if (faults.length === 0) return latencyMs;
  const said = answer.ok ? "" : ` (${mapPluginError(answer.error).message})`;
  throw new GumError(
    "CANARY_FAILED",
    `The trial call of "${plugin.id}" did not go as expected: ${faults.join("; ")}${said}.`,
    {
      details: { tool: trial.tool, faults },
    },
  );
}

const ownFailures = new Set(["SERVICE_DOWN", "PLUGIN_TIMEOUT", "OP_NOT_FOUND", "INVALID_ARGS"]);

/** A plugin that fails by itself has failed its canary; a refusal of the sandbox or of trust stays what it is. */
async function asCanaryFailure<T>(plugin: Plugin, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GumError) || !ownFailures.has(error.code)) throw error;
    throw new GumError("CANARY_FAILED", `The plugin "${plugin.id}" failed its trial: ${error.message}`, {
      hint: error.info.hint,
      details: { ...error.info.details, code: error.code },
      cause: error,
    });
  }
}
