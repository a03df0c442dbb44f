import { basename } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import { isShell } from "../model/interpreter-names.ts";

/** The first line of a script: an interpreter by path, or a name that is looked up once. */
export interface Shebang {
  readonly interpreter: { readonly path: string } | { readonly name: string };
  readonly args: readonly string[];
}

/** As much of a script as its first line may take. */
export const shebangBytes = 4096;

/** The first line's meaning, undefined for a file that is no script; a line that is not allowed is refused (T9). */
export function readShebang(head: Uint8Array): Shebang | undefined {
  if (head[0] !== 0x23 || head[1] !== 0x21) return undefined;
  const end = head.indexOf(0x0a);
  if (end === -1 && head.length >= shebangBytes) throw refused("its first line does not end");
  const line = new TextDecoder().decode(head.subarray(2, end === -1 ? undefined : end));
  if (line.includes("\0")) throw refused("its first line holds a zero byte");
  const [program, rest] = split(line.trim());
  if (program === "") throw refused("its first line names no interpreter");
  if (!program.startsWith("/")) throw refused(`its interpreter '${program}' is not an absolute path`);
  if (basename(program) === "env") return named(rest);
  refuseShell(program);
  // The kernel hands over everything behind the interpreter as one argument.
  return { interpreter: { path: program }, args: rest === "" ? [] : [rest] };
}

/** Shells run whatever they are told to, so that a hash of the script says nothing. */
export function refuseShell(path: string): void {
  if (!isShell(basename(path))) return;
  throw refused(
    `its interpreter '${basename(path)}' is a shell`,
    "shells run whatever they are told to: ship a program, or write the script in a language such as Python",
  );
}

const firstLineHint = "begin the script with an absolute interpreter or `#!/usr/bin/env NAME`";

/** A refusal of the executable, with the reason as the rest of the sentence. */
export function refused(reason: string, hint = firstLineHint): GumError {
  return new GumError("PLUGIN_EXECUTABLE_UNTRUSTED", `The executable is refused because ${reason}.`, {
    hint,
  });
}

/** What follows `env`: a name, or `-S` and a name with arguments; nothing else that env can do. */
function named(rest: string): Shebang {
  const splits = /^-S\s*/.exec(rest);
  const words = splits === null ? [rest] : rest.slice(splits[0].length).split(/\s+/);
  const [name, ...args] = words.filter((word) => word !== "");
  if (name === undefined) throw refused("its first line names no interpreter");
  if (/\s/.test(name)) throw refused("env takes one name unless it is told to split with -S");
  if (name.startsWith("-") || name.includes("=") || name.includes("/")) {
    throw refused(`'${name}' after env is not the name of an interpreter`);
  }
  if (args.some((word) => /["'\\$]/.test(word)))
    throw refused("quotes and variables after env -S are not read");
  refuseShell(name);
  return { interpreter: { name }, args };
}

function split(line: string): [string, string] {
  const gap = line.search(/\s/);
  return gap === -1 ? [line, ""] : [line.slice(0, gap), line.slice(gap).trim()];
}
