import { basename, join } from "node:path/posix";
import { GumError } from "../../base/errors.ts";
import type { Files, Host } from "../../host/host.ts";
import { type PythonEntry, pythonEnvLauncher } from "./launchers.ts";
import { isFolder, kindOf } from "./read-json.ts";
import type { ServerFacts, ServerPlan } from "./server-plan.ts";

/** What of an environment is the server. */
export interface PythonChoice {
  /** The name of a console script. */
  readonly bin?: string | undefined;
  /** A module that is run as `python -m` runs it. */
  readonly module?: string | undefined;
}

interface Distribution {
  readonly facts: ServerFacts;
  readonly scripts: ReadonlyMap<string, string>;
}

const packages = "site-packages";
const launcher = "bin/server-mcp";
/** What an environment holds to be built and changed, and a server does not need. */
const left = ["__pycache__", "pip", "setuptools", "wheel", "_distutils_hack", "distutils-precedence.pth"];

/** Whether the folder is a virtual environment. */
export async function isPythonEnv(files: Files, folder: string): Promise<boolean> {
  return (await kindOf(files, join(folder, "pyvenv.cfg"))) === "file";
}

/** A server in a virtual environment: its packages are copied, and the interpreter below the environment runs them. */
export async function planPython(
  host: Host,
  folder: string,
  choice: PythonChoice,
  args: readonly string[],
): Promise<ServerPlan> {
  const { files } = host;
  const source = await sitePackages(files, folder);
  const distributions = await readDistributions(files, source);
  const { entry, facts } = entryOf(distributions, choice);
  // The environment's own python is a link to the interpreter that it was made with.
  const interpreter = await files.realpath(join(folder, "bin/python3"));
  return {
    kind: "python",
    facts,
    copies: [{ from: source, to: packages, without: left }],
    links: [],
    written: [{ path: launcher, text: pythonEnvLauncher(interpreter, packages, entry) }],
    executable: launcher,
    args,
  };
}

async function sitePackages(files: Files, folder: string): Promise<string> {
  const lib = join(folder, "lib");
  const names = (await isFolder(files, lib)) ? await files.list(lib) : [];
  for (const name of names.filter((one) => one.startsWith("python"))) {
    const path = join(lib, name, packages);
    if (await isFolder(files, path)) return files.realpath(path);
  }
  throw new GumError("PLUGIN_FETCH_FAILED", "The virtual environment holds no site-packages folder.");
}

async function readDistributions(files: Files, source: string): Promise<Distribution[]> {
  const found: Distribution[] = [];
  for (const name of await files.list(source)) {
    if (!name.endsWith(".dist-info")) continue;
    const metadata = await textIn(files, join(source, name, "METADATA"));
    const entries = await textIn(files, join(source, name, "entry_points.txt"));
    found.push({ facts: factsOf(metadata, name), scripts: consoleScripts(entries) });
  }
  return found;
}

async function textIn(files: Files, path: string): Promise<string> {
  return (await kindOf(files, path)) === "file" ? files.readText(path, { maxBytes: 1 << 22 }) : "";
}

/** The lines `name = module:call` of the section for console scripts. */
function consoleScripts(text: string): Map<string, string> {
  const section = /^\[console_scripts\]\s*$([^[]*)/m.exec(text)?.[1] ?? "";
  const pairs = section.split("\n").map((line) => /^\s*([^=\s]+)\s*=\s*([\w.]+:[\w.]+)/.exec(line));
  return new Map(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", pair[2] ?? ""]])));
}

function factsOf(metadata: string, folder: string): ServerFacts {
  const field = (name: string) =>
    new RegExp(`^${name}: *(\\S.*)$`, "m").exec(metadata.split("\n\n")[0] ?? "")?.[1];
  const [ownName = "", version] = basename(folder, ".dist-info").split("-");
  const name = field("Name") ?? ownName;
  return {
    id: name,
    version: field("Version") ?? version,
    description: field("Summary"),
    license: field("License-Expression") ?? field("License"),
    homepage: field("Home-page"),
    owner: `pypi:${name}`,
  };
}

function entryOf(
  distributions: readonly Distribution[],
  { bin, module }: PythonChoice,
): { readonly entry: PythonEntry; readonly facts: ServerFacts } {
  if (module !== undefined) {
    const same = (id: string) =>
      id.toLowerCase().replaceAll(/[-.]/g, "_") === module.split(".")[0]?.toLowerCase();
    const facts = distributions.find((one) => same(one.facts.id))?.facts;
    return { entry: { module, call: null }, facts: facts ?? unknownFacts(module) };
  }
  const all = distributions.flatMap(({ facts, scripts }) =>
    [...scripts].map(([name, call]) => ({ name, call, facts })),
  );
  const likely = all.filter(({ name, facts }) => /mcp/i.test(name) && facts.id !== "mcp");
  const candidates = bin === undefined ? likely : all.filter(({ name }) => name === bin);
  const [only, second] = candidates;
  if (only === undefined || second !== undefined) {
    const shown = (candidates.length > 0 ? candidates : all).map(({ name }) => name);
    throw new GumError("USAGE", "It is not clear which program of the environment is the server.", {
      hint: `choose one with --bin: ${shown.join(", ") || "the environment has no programs"}`,
    });
  }
  const [name = "", call = ""] = only.call.split(":");
  return { entry: { module: name, call }, facts: only.facts };
}

function unknownFacts(id: string): ServerFacts {
  return {
    id,
    version: undefined,
    description: undefined,
    license: undefined,
    homepage: undefined,
    owner: undefined,
  };
}
