import { join } from "node:path/posix";
import * as v from "valibot";
import { GumError } from "../base/errors.ts";
import type { Credentials } from "../model/credentials.ts";
import { type CanaryMode, type CanaryReport, canaryModes } from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import type { ResolvedSchema } from "../model/schema-bundle.ts";
import type { Session } from "../model/session.ts";
import { defineStep, type StepTools } from "../pipeline/step.ts";
import { verifyExecutable } from "../registry/executable.ts";
import { requireDeclaredTools } from "../wire/tool-digest.ts";
import { findCredentials } from "./plugin-credentials.ts";
import { responseRefOf } from "./schema-refs.ts";
import { prepareStart } from "./start-plugin.ts";
import { asCanaryFailure, callTrial, judgeTrial, trialTimeoutMs, tryWithoutCall } from "./trial.ts";

/** Starts the staged plugin once, compares its tools with the manifest, and makes its trial call. */
export const canary = defineStep({
  name: "canary",
  summary: "Start the staged plugin once, compare its tools with the manifest, make its trial call.",
  needs: ["plugin", "profile", "flags", "staged", "binding", "consent", "cleanEnv", "schemas"],
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
    timeout_ms: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(600_000)),
      trialTimeoutMs,
    ),
  }),
  async run(
    { plugin, profile, flags, staged, binding, consent, schemas },
    tools,
    { mode: shipped, timeout_ms },
  ) {
    const { host, note } = tools;
    const mode = modeOf(flags.canary ?? shipped, profile.isDev);
    if (mode === "skip") {
      note("skipped");
      return { canaryReport: quietReport(mode) };
    }
    const credentials = await findCredentials(host, profile, plugin, tools.signal);
    const { missing, faults } = credentials;
    if (missing.length > 0) {
      note(`skipped: ${missing.length} credentials are missing`);
      for (const message of faults) tools.warn({ message });
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
      credentials,
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
      const canaryReport = await tryPlugin(tools, { plugin, schemas, credentials }, mode, timeout_ms, open);
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

interface Tried {
  readonly plugin: Plugin;
  readonly schemas: readonly ResolvedSchema[];
  readonly credentials: Credentials;
}

async function tryPlugin(
  tools: StepTools,
  { plugin, schemas, credentials }: Tried,
  mode: CanaryMode,
  timeoutMs: number,
  open: () => Promise<Session>,
): Promise<CanaryReport> {
  const { host, signal } = tools;
  const start = host.clock.monotonic();
  const session = await asCanaryFailure(plugin.id, signal, open);
  try {
    const description = await asCanaryFailure(plugin.id, signal, () => session.describe());
    const spawnMs = host.clock.monotonic() - start;
    const declared = plugin.tools.map((tool) => tool.name);
    requireDeclaredTools(plugin.id, declared, description);
    const live = mode === "live";
    if (!live) await tryWithoutCall(tools, plugin, session, timeoutMs);
    const call = live ? await callTrial(tools, plugin, session, { timeoutMs, credentials }) : null;
    await judgeTrial(tools, plugin, call, responseSchemaOf(plugin, schemas));
    return { ...quietReport(mode), latencyMs: call?.latencyMs ?? 0, spawnMs, listed: description.tools };
  } finally {
    await session.close();
  }
}

/** The response schema of the tool that the trial calls, where the plugin has one. */
function responseSchemaOf(plugin: Plugin, schemas: readonly ResolvedSchema[]): unknown {
  const tool = plugin.tools.find(({ name }) => name === plugin.canary?.tool);
  const ref = tool === undefined ? undefined : responseRefOf(plugin, tool);
  const schema = schemas.find((one) => one.ref === ref);
  return schema === undefined ? undefined : JSON.parse(schema.text);
}
