/** What a plugin may use at most (T23); the operator raises them in the configuration, never the plugin. */
export interface Limits {
  readonly dataBytes: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  /** Only for processes that answer one call: a process that stays would be killed for its age. */
  readonly cpuSeconds: number | undefined;
}

const gib = 2 ** 30;

/**
 * The address space is not limited: node, deno and java reserve far more than they use. Nor is the number of
 * processes: the kernel counts those of the whole user.
 */
export const defaultLimits: Limits = {
  dataBytes: 4 * gib,
  fileBytes: 2 * gib,
  openFiles: 4096,
  cpuSeconds: undefined,
};

/** The default for a process that answers one call. */
export const oneShotCpuSeconds = 300;

/** The operator's limits for one process: CPU time is counted only in one that answers one call and ends. */
export function limitsFor(limits: Partial<Limits> | undefined, oneShot: boolean): Partial<Limits> {
  const { cpuSeconds, ...others } = limits ?? {};
  return oneShot && cpuSeconds !== undefined ? { ...others, cpuSeconds } : others;
}
