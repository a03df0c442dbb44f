// What every trial of a plugin does, at install and afterwards.
import { GumError } from "../base/errors.ts";
import { disappointments } from "../model/canary-verdict.ts";
import { fillComponents } from "../model/component-args.ts";
import type { Credentials } from "../model/credentials.ts";
import type { Plugin } from "../model/plugin.ts";
import { resolveDates } from "../model/relative-dates.ts";
import type { Session } from "../model/session.ts";
import type { TrialCall } from "../model/trial.ts";
import type { StepTools } from "../pipeline/step.ts";
import { mapPluginError } from "../wire/map-error.ts";
import { createSchemaChecker } from "../wire/schema-check.ts";
import { startSchemaChild } from "../wire/start-schema-child.ts";

/** How long a trial may take, where nobody says otherwise. */
export const trialTimeoutMs = 15_000;

/** `1 tool`, `2 tools`. */
export function toolCount(tools: readonly unknown[]): string {
  return `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
}

const ownFailures = new Set(["SERVICE_DOWN", "PLUGIN_TIMEOUT", "OP_NOT_FOUND", "INVALID_ARGS"]);

/** A plugin that fails by itself has failed its canary; a refusal of the sandbox or of trust stays what it is. */
export async function asCanaryFailure<T>(
  plugin: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A plugin that was stopped with gum has not failed.
    signal.throwIfAborted();
    if (!(error instanceof GumError) || !ownFailures.has(error.code)) throw error;
    throw new GumError("CANARY_FAILED", `The plugin "${plugin}" failed its trial: ${error.message}`, {
      hint: error.info.hint,
      failureCode: error.info.failureCode,
      details: { ...error.info.details, code: error.code },
      cause: error,
    });
  }
}

export interface CallWishes {
  readonly timeoutMs: number;
  /** Said instead of some of the manifest's arguments. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** What `{component:alias}` in the arguments stands for (C13). */
  readonly credentials: Credentials;
}

/** Makes the manifest's own trial call; null for a plugin without one, which has passed by answering the handshake. */
export async function callTrial(
  { host, signal }: Pick<StepTools, "host" | "signal">,
  plugin: Plugin,
  session: Session,
  { timeoutMs, args, credentials }: CallWishes,
): Promise<TrialCall | null> {
  const { canary } = plugin;
  if (canary === null) {
    await tryWithoutCall({ signal }, plugin, session, timeoutMs);
    return null;
  }
  const start = host.clock.monotonic();
  const dated = resolveDates({ ...canary.args, ...args }, host.clock.now());
  const values = new Map([...credentials.found].map(([alias, { value }]) => [alias, value]));
  const said = fillComponents(dated, values);
  const answer = await asCanaryFailure(plugin.id, signal, () =>
    session.call(canary.tool, said, {
      timeoutMs: Math.min(
        timeoutMs,
        canary.timeout_ms ?? timeoutMs,
        plugin.handshake?.timeout_ms ?? timeoutMs,
      ),
      signal,
    }),
  );
  return { tool: canary.tool, answer, latencyMs: host.clock.monotonic() - start };
}

/** Tries what a plugin can show without a call, on wires whose list of tools proves nothing (C14). */
export async function tryWithoutCall(
  { signal }: Pick<StepTools, "signal">,
  plugin: Plugin,
  session: Session,
  timeoutMs: number,
): Promise<void> {
  if (session.probe === undefined) return;
  await asCanaryFailure(plugin.id, signal, async () => session.probe?.(timeoutMs));
}

/** Throws CANARY_FAILED, with every reason, when the call did not go as the manifest expects (C3). */
export async function judgeTrial(
  { host, warn }: Pick<StepTools, "host" | "warn">,
  plugin: Plugin,
  call: TrialCall | null,
  responseSchema: unknown,
): Promise<void> {
  if (call === null) return;
  const { answer, latencyMs, tool } = call;
  const expect = plugin.canary?.expect ?? null;
  const payload = answer.ok ? answer.payload : undefined;
  const faults = disappointments(expect, { isError: !answer.ok, payload, latencyMs });
  const schema = expect?.response_schema ?? responseSchema;
  if (answer.ok && schema !== undefined && schema !== null) {
    faults.push(...(await misfits({ host, warn }, plugin.id, schema, answer.payload.data)));
  }
  if (faults.length === 0) return;
  const said = answer.ok ? "" : ` (${mapPluginError(answer.error).message})`;
  throw new GumError(
    "CANARY_FAILED",
    `The trial call of "${plugin.id}" did not go as expected: ${faults.join("; ")}${said}.`,
    { details: { tool, faults } },
  );
}

const shownMisfits = 3;

async function misfits(
  { host, warn }: Pick<StepTools, "host" | "warn">,
  plugin: string,
  schema: unknown,
  value: unknown,
): Promise<string[]> {
  const checker = createSchemaChecker(host.clock, { startChild: () => startSchemaChild(host) });
  try {
    const verdict = await checker.check(plugin, schema, value);
    if (verdict.kind === "checked") {
      return verdict.violations
        .slice(0, shownMisfits)
        .map(({ pointer, message }) => `the data${pointer === "" ? "" : ` at ${pointer}`} ${message}`);
    }
    // A schema that cannot be used says nothing about the plugin's answer.
    const why = verdict.kind === "broken" ? verdict.reason : `it took longer than ${verdict.deadlineMs} ms`;
    warn({ message: `The response schema of "${plugin}" was not applied to its trial call: ${why}` });
    return [];
  } finally {
    await checker.close();
  }
}
