// What an operator may grant beyond the manifest (T35). Landlock can only allow, never take back: a path that holds
// something protected, or lies inside something sensitive, cannot be granted at all.
import { GumError } from "../base/errors.ts";
import { executedPaths } from "./executed-paths.ts";
import { homeOf, liesWithin, protectedFrom, type Surroundings, sensitiveFor } from "./sensitive.ts";

export interface GrantInput extends Surroundings {
  /** Real, absolute paths. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Refuses the first path that may not be granted. */
export function checkGrants(input: GrantInput): void {
  for (const path of [...input.read, ...input.write]) checkGrant(path, input);
  for (const path of input.write) checkWrite(path, input);
}

/** Refuses a path that contains or lies under something protected. */
export function checkGrant(path: string, where: Surroundings): void {
  if (!path.startsWith("/") || path.includes("\0") || path.split("/").includes("..")) {
    throw denied(path, "it is not an absolute path");
  }
  if (liesWithin(where.userHome, path)) throw denied(path, "it holds your whole home folder");
  const inside = sensitiveFor(path, where).find((folder) => liesWithin(path, folder));
  if (inside !== undefined) throw denied(path, `it lies in '${inside}'`);
  const holds = protectedFrom(path, where).find((inner) => liesWithin(inner, path));
  if (holds !== undefined) throw denied(path, `it holds '${holds}'`);
}

function checkWrite(path: string, where: Surroundings): void {
  const homes = [where.userHome, ...homeOf(path)];
  const executed = [...new Set([...homes.flatMap(executedPaths), ...(where.executed ?? [])])];
  const folder = executed.find((program) => liesWithin(path, program));
  if (folder !== undefined) {
    throw denied(path, `nothing in '${folder}' may be written, since others execute or obey it`);
  }
  const inner = executed.find((program) => liesWithin(program, path));
  if (inner !== undefined) throw denied(path, `it holds '${inner}', which others execute or obey`);
}

function denied(path: string, reason: string): GumError {
  return new GumError("POLICY_DENIED", `The path '${path}' cannot be granted because ${reason}.`, {
    hint: "grant a folder that holds only what the plugin needs",
    details: { path },
  });
}
