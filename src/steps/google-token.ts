// T18: the operator's own command prints a short-lived access token; nothing else of Google's ever reaches a plugin.
import { isAbsolute } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { findProgram } from "../source/find-program.ts";
import { type Finished, runProgram } from "../source/run-program.ts";

const timeoutMs = 30_000;
const maxToken = 4096;
const named = "the command of auth.google_access_token_command";

/** What the configured command prints, or why that is no access token, as a sentence that quotes nothing of it. */
export async function googleToken(
  host: Host,
  command: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly value: string } | { readonly fault: string }> {
  const [program, ...args] = commandWords(command);
  if (program === undefined) return { fault: "No command for Google access tokens is configured." };
  const file = isAbsolute(program)
    ? program
    : program.includes("/")
      ? undefined
      : await findProgram(host, program);
  if (file === undefined) return fault("was not found: name an absolute path, or a program of your PATH");
  try {
    const spec = { file, args, env: ownEnvironment(host), cwd: host.machine.home, signal, timeoutMs };
    return tokenOf(await runProgram(host, spec));
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EACCES", "ENOEXEC", "ENOTDIR", "EPERM")) throw error;
    return fault("cannot be started");
  }
}

/** The program and its arguments. A single text is split at blanks; quotes keep them, and nothing else means anything. */
export function commandWords(command: readonly string[]): string[] {
  const [only] = command;
  if (only === undefined || command.length > 1) return [...command];
  const words = only.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two));
}

function tokenOf({ code, stdout, ended }: Finished): { readonly value: string } | { readonly fault: string } {
  if (ended !== "by itself") return fault(`took longer than ${timeoutMs / 1000} seconds`);
  if (code !== 0) return fault(`ended with exit code ${code ?? "none"}`);
  const value = stdout.trim();
  if (value === "") return fault("printed nothing");
  if (value.length > maxToken || !/^[\x21-\x7e]+$/.test(value)) return fault("printed no access token");
  // A refresh token or a key file would outlive the call by far.
  if (value.startsWith("1//") || value.startsWith("{")) {
    return fault("printed something other than a short-lived access token");
  }
  return { value };
}

function fault(what: string): { readonly fault: string } {
  return { fault: `${named.charAt(0).toUpperCase()}${named.slice(1)} ${what}.` };
}

/** It is the operator's own program, so it gets their environment; what steers gum itself or its runtime stays here. */
function ownEnvironment({ env }: Host): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || /^(?:_?GUM|BUN_)/.test(name) ? [] : [[name, value]],
    ),
  );
}
