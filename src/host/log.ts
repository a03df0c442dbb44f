import type { Log, LogLevel, Terminal } from "./host.ts";

const order: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/** Lines for a person, on stderr; stdout is for answers alone. */
export function createLog(terminal: Terminal, level: LogLevel): Log {
  const say = (at: "debug" | "info" | "warn", message: string): void => {
    if (order[at] >= order[level]) terminal.err(`gum: ${at === "info" ? "" : `${at}: `}${message}\n`);
  };
  return {
    level,
    debug: (message) => say("debug", message),
    info: (message) => say("info", message),
    warn: (message) => say("warn", message),
  };
}
