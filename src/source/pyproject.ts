import { GumError } from "../base/errors.ts";

/** What gum needs to know of a Python project. */
export interface PythonProject {
  /** In the normal form of package names. */
  readonly name: string;
  /** Null where the build computes it. */
  readonly version: string | null;
  /** Names of the programs that installing the project makes. */
  readonly scripts: readonly string[];
}

export const projectFile = "pyproject.toml";

/** Reads a pyproject.toml; what cannot be read is PLUGIN_MANIFEST_INVALID. */
export async function readProject(text: string): Promise<PythonProject> {
  const { parse } = await import("@iarna/toml");
  let value: unknown;
  try {
    value = parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new GumError("PLUGIN_MANIFEST_INVALID", `The file ${projectFile} is not valid TOML.`, {
      at: placeOf(error),
      cause: error,
    });
  }
  const project = memberOf(value, "project");
  const [name, version, scripts] = ["name", "version", "scripts"].map((key) => memberOf(project, key));
  return {
    name: typeof name === "string" ? normalName(name) : "",
    version: typeof version === "string" ? version : null,
    scripts: typeof scripts === "object" && scripts !== null ? Object.keys(scripts).filter(isFileName) : [],
  };
}

/** The one form that all spellings of a package's name have. */
export function normalName(name: string): string {
  return name.replace(/[-_.]+/g, "-").toLowerCase();
}

function isFileName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(name);
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

function placeOf(error: unknown): { file: string; line?: number } {
  const line = error instanceof Error && "line" in error ? error.line : undefined;
  return typeof line === "number" ? { file: projectFile, line: line + 1 } : { file: projectFile };
}
