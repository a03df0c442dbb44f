// W27: why a plugin did not start or died, from what was seen. The first rule that the evidence fits gives the cause:
// what gum itself saw comes before what the plugin printed, and that before the bare exit.
import type { ExitStatus } from "../model/session.ts";
import type { Fault } from "./fault.ts";
import { stderrRules } from "./stderr-rules.ts";
import { oneLine } from "./text.ts";

/** Every cause there is. Scripts match on them, so the list only grows. */
export const causes = [
  "interpreter_not_found",
  "shared_library_missing",
  "wrong_architecture",
  "not_executable",
  "write_denied",
  "connect_denied",
  "module_missing",
  "out_of_memory",
  "stdout_not_protocol",
  "message_malformed",
  "stopped_reading",
  "stdout_closed",
  "protocol_version",
  "initialize_refused",
  "endless_list",
  "no_answer",
  "exit_code",
  "signal",
  "launch_failed",
  "too_many_timeouts",
  "session_closed",
  "ignored_end",
  "handshake_refused",
] as const;

export type Cause = (typeof causes)[number];

export type Phase = "launch" | "initialize" | "list" | "handshake" | "call" | "idle";

export interface Evidence {
  readonly phase: Phase;
  /** How the process ended by itself; null while it runs or when gum ended it. */
  readonly exit: ExitStatus | null;
  readonly stderrTail: string;
  /** What the transport saw. */
  readonly fault?: Fault | undefined;
  /** The errno of a launch that failed, such as ENOENT. */
  readonly errno?: string | undefined;
  /** How long gum waited for an answer in vain. */
  readonly waitedMs?: number | undefined;
}

export interface Explanation {
  readonly cause: Cause;
  /** What happened, to stand behind `The plugin "x" `. */
  readonly what: string;
  readonly hint: string;
}

/** The cause, in words, with what to change. */
export function explain(evidence: Evidence): Explanation {
  return (
    fromErrno(evidence.errno) ??
    fromFault(evidence.fault) ??
    fromSilence(evidence) ??
    fromStderr(evidence) ??
    fromExit(evidence)
  );
}

function fromErrno(errno: string | undefined): Explanation | undefined {
  if (errno === undefined) return undefined;
  const known = errnoCauses[errno];
  if (known !== undefined) return known;
  return {
    cause: "launch_failed",
    what: `could not be started: ${oneLine(errno, 40)}`,
    hint: "run `gum doctor` to see what this machine allows",
  };
}

const errnoCauses: Readonly<Record<string, Explanation>> = {
  ENOENT: {
    cause: "interpreter_not_found",
    what: "could not be started: the program, or the interpreter in its first line, does not exist",
    hint: "install the interpreter that the script's first line names, or correct that line",
  },
  ENOEXEC: {
    cause: "wrong_architecture",
    what: "could not be started: the file is not a program for this machine",
    hint: "build the executable for this machine's architecture; a script needs a first line such as #!/usr/bin/env python3",
  },
  EACCES: {
    cause: "not_executable",
    what: "could not be started: the file may not be executed",
    hint: "set the executable bit (chmod +x), and see that the file system allows execution",
  },
  ENOMEM: {
    cause: "out_of_memory",
    what: "could not be started: there is not enough memory",
    hint: "free memory on this machine",
  },
};

function fromFault(fault: Fault | undefined): Explanation | undefined {
  if (fault === undefined) return undefined;
  if (fault.kind === "not_protocol") {
    return {
      cause: "stdout_not_protocol",
      what: `wrote a line to stdout that is not protocol: ${JSON.stringify(oneLine(fault.line, 200))}`,
      hint: "write logs to stderr; stdout carries nothing but protocol messages",
    };
  }
  if (fault.kind === "malformed") return malformed(fault.reason);
  if (fault.kind === "stopped_reading") {
    return {
      cause: "stopped_reading",
      what: "stopped reading its stdin",
      hint: "read stdin until it ends, also while a call is being worked on",
    };
  }
  return undefined;
}

function malformed(reason: Extract<Fault, { kind: "malformed" }>["reason"]): Explanation {
  const words = {
    too_long: "that is too long",
    not_utf8: "that is not UTF-8",
    nul: "with a NUL in it",
    too_deep: "that is nested too deeply",
  };
  return {
    cause: "message_malformed",
    what: `wrote a line to stdout ${words[reason]}`,
    hint: "write one JSON message per line in UTF-8; wire.max_message_bytes sets the longest line",
  };
}

function fromStderr(evidence: Evidence): Explanation | undefined {
  if (evidence.stderrTail === "" || (evidence.exit?.code === 0 && evidence.fault?.kind === "exited"))
    return undefined;
  for (const rule of stderrRules) {
    const found = rule.pattern.exec(evidence.stderrTail);
    if (found === null) continue;
    const name = oneLine(found.groups?.name ?? "", 120);
    return { cause: rule.cause, what: rule.what(name), hint: rule.hint(name) };
  }
  return undefined;
}

function fromSilence({ phase, waitedMs, exit }: Evidence): Explanation | undefined {
  if (waitedMs === undefined || exit !== null) return undefined;
  const asked = phase === "list" ? "tools/list" : "initialize";
  return {
    cause: "no_answer",
    what: `did not answer ${asked} within ${waitedMs} ms`,
    hint: "answer on stdout and flush it; a slow start can be given more time with timeouts.connect_ms",
  };
}

function fromExit({ phase, exit }: Evidence): Explanation {
  const when = moments[phase];
  if (exit === null) {
    return {
      cause: "stdout_closed",
      what: `closed its stdout ${when}`,
      hint: "keep stdout open until stdin ends",
    };
  }
  if (exit.signal !== null) {
    const killed = exit.signal === "SIGKILL";
    return {
      cause: "signal",
      what: `was ended by ${exit.signal} ${when}`,
      hint: killed
        ? "see whether the machine ran out of memory"
        : "see the plugin's last lines in details.stderr_tail",
    };
  }
  return {
    cause: "exit_code",
    what: `ended by itself with exit code ${exit.code ?? "unknown"} ${when}`,
    hint: exit.code === 0 ? "serve until stdin ends" : "see the plugin's last lines in details.stderr_tail",
  };
}

const moments: Readonly<Record<Phase, string>> = {
  launch: "while it was started",
  initialize: "before it answered initialize",
  list: "before it had listed its tools",
  handshake: "before it had answered the handshake",
  call: "in the middle of a call",
  idle: "between two calls",
};
