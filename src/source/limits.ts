// What a source may be at most. One place, so that a reader sees every bound at once.

const mib = 2 ** 20;
const gib = 2 ** 30;

/** Bounds on what comes over the network or is copied from elsewhere. */
export const fetchLimits = {
  archiveBytes: 512 * mib,
  redirects: 5,
  /** A whole download or clone. */
  totalMs: 15 * 60_000,
  /** Without a single byte. */
  silenceMs: 60_000,
} as const;

/** Bounds on what an archive may become. */
export interface UnpackLimits {
  readonly entries: number;
  readonly bytes: number;
  /** How many times larger than the archive its content may be, once it is larger than `ratioFrom`. */
  readonly ratio: number;
  readonly ratioFrom: number;
  readonly depth: number;
  readonly pathBytes: number;
}

export const unpackLimits: UnpackLimits = {
  entries: 100_000,
  bytes: 2 * gib,
  ratio: 200,
  ratioFrom: 16 * mib,
  depth: 64,
  pathBytes: 1024,
};

/** Bounds on building an environment. */
export const buildLimits = { totalMs: 20 * 60_000, outputLines: 30, outputBytes: 16_384 } as const;
