import { join, normalize, relative } from "node:path/posix";
import { GumError } from "../../base/errors.ts";
import type { Host } from "../../host/host.ts";
import { readShebang, shebangBytes } from "../../sandbox/shebang.ts";
import { nodeLauncher } from "./launchers.ts";
import { layOutPackages } from "./npm-packages.ts";
import { kindOf, readTable, type Table, tableOf, textOf } from "./read-json.ts";
import type { ServerFacts, ServerPlan } from "./server-plan.ts";

const below = "server";

/** What is known about which program of a package to take. */
export interface NpmChoice {
  /** The name of one of its programs. */
  readonly bin?: string | undefined;
  /** The file itself. */
  readonly script?: string | undefined;
}

/** A server that is a package of npm: its package and all that it needs are copied as they lie. */
export async function planNpm(
  host: Host,
  given: string,
  choice: NpmChoice,
  args: readonly string[],
): Promise<ServerPlan> {
  const { files } = host;
  const folder = await files.realpath(await serverPackage(host, given, choice));
  const manifest = (await readTable(files, join(folder, "package.json"))) ?? {};
  const script =
    choice.script === undefined ? programOf(manifest, choice.bin) : relative(folder, choice.script);
  if ((await kindOf(files, join(folder, script))) !== "file") {
    throw new GumError(
      "PLUGIN_FETCH_FAILED",
      `The package has no file "${script}", which it names as its program.`,
      {
        hint: "build the package first",
      },
    );
  }
  const { places, links } = await layOutPackages(files, folder, below);
  const copies = [...places].map(([from, to]) => ({ from, to, without: ["node_modules", ".git"] }));
  const target = join(places.get(folder) ?? below, script);
  const direct = await runsByItself(host, join(folder, script));
  const launcher = "bin/server-mcp";
  return {
    kind: "npm",
    facts: factsOf(manifest),
    copies,
    links,
    written: direct ? [] : [{ path: launcher, text: nodeLauncher(target) }],
    executable: direct ? target : launcher,
    args,
  };
}

/** The package itself, or the one package that a project was made to hold. */
async function serverPackage({ files }: Host, folder: string, choice: NpmChoice): Promise<string> {
  const manifest = (await readTable(files, join(folder, "package.json"))) ?? {};
  if (choice.script !== undefined || manifest.bin !== undefined || textOf(manifest.main) !== undefined)
    return folder;
  const dependencies = Object.keys(tableOf(manifest.dependencies));
  const [only, second] = dependencies;
  if (only !== undefined && second === undefined) return join(folder, "node_modules", only);
  throw new GumError(
    "PLUGIN_FETCH_FAILED",
    "The package.json of the folder names no program that could be a server.",
    {
      hint:
        dependencies.length > 1
          ? `name one of its packages: ${dependencies.map((name) => join(folder, "node_modules", name)).join(", ")}`
          : "name the package that holds the server, such as node_modules/<name>",
    },
  );
}

function programOf(manifest: Table, wanted: string | undefined): string {
  const { bin } = manifest;
  if (typeof bin === "string") return normalize(bin);
  const programs = tableOf(bin);
  const names = Object.keys(programs);
  const own = textOf(manifest.name)?.replace(/^@[^/]*\//, "") ?? "";
  const name = wanted ?? (names.length === 1 ? names[0] : names.find((one) => one === own));
  const file = name === undefined ? undefined : textOf(programs[name]);
  if (file !== undefined) return normalize(file);
  const main = textOf(manifest.main);
  if (names.length === 0 && main !== undefined && wanted === undefined) return normalize(main);
  throw new GumError(
    "USAGE",
    `The package has ${names.length} programs, and it is not clear which is the server.`,
    {
      hint: `choose one with --bin: ${names.join(", ")}`,
    },
  );
}

/** Whether gum can start the file as it is: its first line says that node runs it. */
async function runsByItself({ files }: Host, path: string): Promise<boolean> {
  const file = await files.open(path, "read");
  try {
    const head = new Uint8Array(shebangBytes);
    const shebang = readShebang(head.subarray(0, await file.read(head, 0)));
    return (
      shebang !== undefined &&
      "name" in shebang.interpreter &&
      /^(node|bun|deno)/.test(shebang.interpreter.name)
    );
  } finally {
    await file.close();
  }
}

function factsOf(manifest: Table): ServerFacts {
  const name = textOf(manifest.name);
  return {
    id: idOf(name ?? "server"),
    version: textOf(manifest.version),
    description: textOf(manifest.description),
    license: textOf(manifest.license),
    homepage: textOf(manifest.homepage),
    owner: name === undefined ? undefined : `npm:${name}`,
  };
}

/** The name without its scope, unless that says nothing. */
function idOf(name: string): string {
  const own = name.replace(/^@[^/]*\//, "");
  return /^(?:mcp|server|mcp-server)$/.test(own) ? name : own;
}
