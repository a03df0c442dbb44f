/** Limits that the host sets where nothing else is configured. */
export const defaultTimeouts = { connectMs: 10_000, callMs: 60_000 } as const;

export interface CallTimeoutInput {
  /** The host's own limit for a call. */
  readonly configuredMs?: number | undefined;
  /** What the plugin's manifest asks for. */
  readonly pluginMs?: number | null | undefined;
  /** Config may let plugins ask for more than the host's limit. */
  readonly pluginMayRaise?: boolean | undefined;
  /** What the caller of this one call asks for; a person or script may choose freely. */
  readonly requestedMs?: number | undefined;
}

/** The time one call may take (W3): the host decides, the plugin may only lower it. */
export function callTimeout(input: CallTimeoutInput): number {
  if (input.requestedMs !== undefined) return input.requestedMs;
  const configured = input.configuredMs ?? defaultTimeouts.callMs;
  if (input.pluginMs === null || input.pluginMs === undefined) return configured;
  return input.pluginMayRaise === true ? input.pluginMs : Math.min(configured, input.pluginMs);
}
