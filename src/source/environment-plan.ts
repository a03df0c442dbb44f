// Which commands make a Python project's virtual environment (T10). Pure: where things are is told, what runs is said.
import { join } from "node:path/posix";
import { normalName, type PythonProject } from "./pyproject.ts";

/** What installs packages: uv, or the pip that came with the python. */
export type Installer =
  | { readonly kind: "uv"; readonly path: string }
  | { readonly kind: "pip"; readonly path: string };

export interface EnvironmentFacts {
  readonly python: string;
  readonly installer: Installer;
  /** Where the environment will stay. */
  readonly environment: string;
  /** A copy of the project that the build may write to. */
  readonly project: string;
  readonly about: PythonProject;
  /** Whether requirements.lock is there. */
  readonly locked: boolean;
  /** Names in wheels/; null where there is no such folder, and packages come from the index. */
  readonly wheels: readonly string[] | null;
}

export interface BuildCommand {
  /** What it does, for a person who waits or reads why it failed. */
  readonly what: string;
  readonly argv: readonly [string, ...string[]];
  /** Its failure does not fail the build. */
  readonly lenient?: true;
}

/** The python of an environment. */
export function environmentPython(environment: string): string {
  return join(environment, "bin/python");
}

/** The commands in their order. */
export function buildCommands(facts: EnvironmentFacts): BuildCommand[] {
  const { environment, project, locked } = facts;
  const install = installCommand(facts);
  const lock = join(project, "requirements.lock");
  return [
    { what: "making the environment", argv: createCommand(facts) },
    ...(locked
      ? [{ what: "installing the locked packages", argv: install(["--require-hashes", "-r", lock]) }]
      : []),
    {
      what: "installing the project",
      argv: install([...(locked ? ["--no-deps"] : []), ownWheel(facts) ?? project]),
    },
    {
      // Files that no python of this version can read, such as templates, are left uncompiled.
      what: "compiling",
      argv: [
        environmentPython(environment),
        ...["-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"],
        join(environment, "lib"),
      ],
      lenient: true,
    },
  ];
}

function createCommand({ installer, python, environment }: EnvironmentFacts): [string, ...string[]] {
  if (installer.kind === "pip") return [python, "-I", "-m", "venv", "--without-pip", environment];
  return [installer.path, "venv", ...uvFlags, "--no-project", "--python", python, environment];
}

const uvFlags = ["--no-config", "--no-cache", "--no-progress", "--color", "never"];
const pipFlags = [
  "--no-input",
  "--disable-pip-version-check",
  "--no-cache-dir",
  "--no-color",
  "--no-warn-script-location",
];

function installCommand(facts: EnvironmentFacts): (what: readonly string[]) => [string, ...string[]] {
  const { installer, environment, project, wheels } = facts;
  const python = environmentPython(environment);
  const from = wheels === null ? [] : ["--no-index", "--find-links", join(project, "wheels")];
  if (installer.kind === "uv") {
    const start = ["pip", "install", ...uvFlags, "--link-mode", "copy", "--python", python];
    return (what) => [installer.path, ...start, ...from, ...what];
  }
  const start = ["-I", installer.path, "install", ...pipFlags, "--no-compile", "--progress-bar", "off"];
  return (what) => [python, ...start, ...from, ...what];
}

/** The project's own wheel in wheels/: then nothing has to be built. */
function ownWheel({ wheels, about, project }: EnvironmentFacts): string | undefined {
  const own = (wheels ?? []).filter((file) => {
    const [name = "", version = ""] = file.split("-");
    return (
      file.endsWith(".whl") &&
      normalName(name) === about.name &&
      (about.version === null || version === about.version)
    );
  });
  const [only] = own;
  return own.length === 1 && only !== undefined ? join(project, "wheels", only) : undefined;
}
