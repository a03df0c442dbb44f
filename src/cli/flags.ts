// What a flag can be, and the flags that every command has. `--no-<name>` turns a switch off; a switch that is on
// from the start is shown as `--no-<name>`.

interface Described {
  readonly summary: string;
}
export interface Switch extends Described {
  readonly kind: "switch";
  readonly on?: true;
}
export interface Text extends Described {
  readonly kind: "text";
  /** What stands in the help for the value, such as `dir`. */
  readonly value: string;
  /** May be given several times; the value is then a list. */
  readonly repeated?: boolean;
}
export interface Choice extends Described {
  readonly kind: "choice";
  readonly choices: readonly string[];
  /** What the flag means without a value; a value is then only taken after `=`. */
  readonly bare?: string;
}
/** A time such as 500ms, 30s or 2m; a plain number is milliseconds. */
export interface Duration extends Described {
  readonly kind: "duration";
}
/** A whole number. */
export interface Whole extends Described {
  readonly kind: "whole";
  readonly least: number;
  readonly most: number;
}
export type Flag = Switch | Text | Choice | Duration | Whole;
export type FlagTable = Readonly<Record<string, Flag>>;

export type FlagValue<F extends Flag> = F extends Switch
  ? boolean
  : F extends Duration | Whole
    ? number | undefined
    : F extends { readonly kind: "choice"; readonly choices: readonly (infer C)[] }
      ? C | undefined
      : F extends { readonly repeated: true }
        ? readonly string[]
        : string | undefined;
export type FlagValues<T extends FlagTable> = { readonly [K in keyof T]: FlagValue<T[K]> };

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export const globalFlags = {
  help: { kind: "switch", summary: "Show this help." },
  profile: { kind: "text", value: "name", summary: "The profile to work in (GUM_PROFILE, else default)." },
  json: { kind: "switch", summary: "Answer with JSON; the same as --format json." },
  format: { kind: "choice", choices: ["text", "json"], summary: "How to answer." },
  quiet: { kind: "switch", summary: "Print the answer and errors alone." },
  "log-level": { kind: "choice", choices: logLevels, summary: "How much to tell on stderr (warn)." },
  color: { kind: "switch", on: true, summary: "Print no colours (also NO_COLOR)." },
} as const satisfies FlagTable;

/** The flag of commands that read pipelines. */
export const pipelinesFlag = {
  pipelines: {
    kind: "text",
    value: "dir",
    summary: "Use the edited pipelines of this folder (GUM_PIPELINES).",
  },
} as const satisfies FlagTable;

/** Flags of commands that run pipelines. */
export const pipelineFlags = {
  ...pipelinesFlag,
  trace: {
    kind: "choice",
    choices: ["text", "json"],
    bare: "text",
    summary: "Print each step on stderr as it ends; --trace=json for one object per step.",
  },
} as const satisfies FlagTable;

export type GlobalFlags = typeof globalFlags;

/** The one-letter flags. */
export const shortFlags: Readonly<Record<string, string>> = { h: "help", q: "quiet", y: "yes" };
