// What the words of a manifest alone say about the program (M10); whether the file is there is checked elsewhere.
import type { ErrorCode } from "../../base/error-codes.ts";
import type { DocumentPath } from "../../model/document.ts";
import { isShellOrInterpreter } from "../../model/interpreter-names.ts";
import { show } from "../models/parts.ts";
import type { Report } from "../report.ts";

/** Adds what is wrong with the program's path. */
export function reportProgram(report: Report, path: DocumentPath, program: string): void {
  const fault = programFault(program);
  if (fault !== undefined) report.field(fault.code, path, fault.predicate, fault.hint);
}

interface ProgramFault {
  readonly code: ErrorCode;
  readonly predicate: string;
  readonly hint?: string;
}

function programFault(program: string): ProgramFault | undefined {
  const invalid = (predicate: string): ProgramFault => ({ code: "PLUGIN_MANIFEST_INVALID", predicate });
  if (program.trim() === "") return invalid("must not be empty");
  if (program.includes("\0")) return invalid("must not hold a NUL character");
  const segments = program.split(/[/\\]/);
  const baseName = segments.at(-1) ?? "";
  if (isShellOrInterpreter(baseName)) {
    return {
      code: "PLUGIN_EXECUTABLE_UNTRUSTED",
      predicate: `must not be ${show(program)}, a shell or language interpreter`,
      hint: "name the plugin's own program or script; a script's first line may name its interpreter",
    };
  }
  if (/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(program))
    return invalid(`must not be the absolute path ${show(program)}`);
  if (segments.includes("..")) {
    return {
      code: "PLUGIN_EXECUTABLE_UNTRUSTED",
      predicate: `must not leave the plugin's folder: ${show(program)}`,
    };
  }
  if (program.includes("\\")) return invalid("must separate folders with /");
  if (baseName === "" || baseName === ".") return invalid(`must be a file, not the folder ${show(program)}`);
  return undefined;
}

/** The words of a command: a text is split at spaces, since no shell ever reads it. */
export function commandWords(command: unknown): string[] {
  if (typeof command === "string") return command.split(/[ \t\n\r]+/).filter((word) => word !== "");
  return Array.isArray(command) ? command.filter((word) => typeof word === "string") : [];
}
