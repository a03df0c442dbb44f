/** The signals that stop gum: it undoes what it has begun, says which it was, and exits by its code of this name. */
export const stops = {
  hungUp: { signal: "SIGHUP", words: "hung up" },
  interrupted: { signal: "SIGINT", words: "interrupted" },
  quit: { signal: "SIGQUIT", words: "told to quit" },
  terminated: { signal: "SIGTERM", words: "terminated" },
} as const;

export type Stop = keyof typeof stops;

/** What a stopped command says with --json. No code of the table fits: nothing was refused, and nothing failed. */
export interface StopAnswer {
  readonly success: false;
  readonly interrupted: true;
  readonly signal: (typeof stops)[Stop]["signal"];
  readonly error: string;
}
