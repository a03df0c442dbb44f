import { GumError } from "../base/errors.ts";
import type { Outcome } from "../host/native/status.ts";
import { errnoName } from "./errno.ts";
import { execRow } from "./plan.ts";

/** Causes in the words of W27, by the errno of the program's start. */
const startCauses: Readonly<
  Record<string, { readonly cause: string; readonly what: string; readonly hint: string }>
> = {
  ENOENT: {
    cause: "interpreter_not_found",
    what: "the program, its interpreter or its loader does not exist",
    hint: "install the interpreter that the script's first line names, or correct that line",
  },
  ENOEXEC: {
    cause: "wrong_architecture",
    what: "the file is not a program for this machine",
    hint: "build the executable for this machine's architecture",
  },
  ELIBBAD: {
    cause: "wrong_architecture",
    what: "the program's loader is not one for this machine",
    hint: "build the executable for this machine's architecture",
  },
  EACCES: {
    cause: "not_executable",
    what: "the file may not be executed",
    hint: "set the executable bit, and see that the interpreter lies outside the home or in a folder of its own",
  },
  E2BIG: {
    cause: "launch_failed",
    what: "its arguments and environment are too long",
    hint: "shorten the variables that env_allow lets through",
  },
  ENOMEM: {
    cause: "out_of_memory",
    what: "there is not enough memory",
    hint: "free memory on this machine",
  },
};

/** The error for a row that did not have its result: the program's own fault, or a sandbox that cannot be had. */
export function launchFailure({ row, result }: Outcome): GumError {
  const errno = errnoName(result);
  if (row.name === execRow) return startFailure(errno);
  const answer = result >= 0 ? "succeeded although it must not" : `answered ${errno}`;
  return new GumError(
    "PLUGIN_SANDBOX_UNSUPPORTED",
    `The plugin was not started because its sandbox could not be applied: the step '${row.name}' ${answer}.`,
    { details: { cause: "sandbox_failed", row: row.name, errno } },
  );
}

/** The error for a process that ended before it was confined, without saying why. */
export function vanished(signal: string | null): GumError {
  return new GumError(
    "PLUGIN_SANDBOX_UNSUPPORTED",
    "The plugin was not started because the process ended before it was confined.",
    { details: { cause: "sandbox_failed", signal } },
  );
}

/** The error for a start that took too long. */
export function startedTooSlowly(timeoutMs: number): GumError {
  return new GumError("SERVICE_DOWN", `The plugin could not be started within ${timeoutMs} ms.`, {
    details: { cause: "launch_failed", errno: "ETIMEDOUT" },
  });
}

/** Errnos that say that no folder will hold or execute what is needed for a start. */
const folderErrnos = ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "EROFS", "ENOSPC", "EDQUOT"];

/** The error for a start that failed before there was a process; errors that are none of the system's pass. */
export function notPrepared(error: unknown): unknown {
  if (error instanceof GumError || !(error instanceof Error) || !("code" in error)) return error;
  if (typeof error.code !== "string") return error;
  if (!folderErrnos.includes(error.code)) return startFailure(error.code);
  return new GumError(
    "PLUGIN_SANDBOX_UNSUPPORTED",
    "The plugin was not started because no folder was found in which its sandbox can be prepared.",
    {
      cause: error,
      details: { cause: "sandbox_failed", errno: error.code },
      hint: "set XDG_CACHE_HOME to a folder that allows execution",
    },
  );
}

function startFailure(errno: string): GumError {
  const known = startCauses[errno];
  const what = known?.what ?? errno;
  return new GumError("SERVICE_DOWN", `The plugin could not be started: ${what}.`, {
    hint: known?.hint,
    details: { cause: known?.cause ?? "launch_failed", errno },
  });
}
